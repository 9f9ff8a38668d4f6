// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Division and square root of 32-bit and 64-bit integers in little flash, for public numbers.

#include <cstdint>

#include "sotto/arm/divide.hpp"
#include "sotto/arm/multiply.hpp"

namespace sotto {

/// floor(n / d) for 32 bits, 0 < d < 2^31.
[[nodiscard, gnu::noinline]] constexpr std::uint32_t divide_floor_32(std::uint32_t n, std::uint32_t d) noexcept {
  std::uint32_t rest = 0;
  for (int i = 0; i < 32; ++i) {
    rest = rest << 1 | n >> 31;
    n <<= 1;
    if (rest >= d) {
      rest -= d;
      n |= 1u;
    }
  }
  return n;
}

/// floor(sqrt(n)); Word is std::uint64_t or std::uint32_t.
template <class Word>
[[nodiscard, gnu::noinline]] constexpr std::uint32_t root_floor(Word n) noexcept {
  Word root = 0, rest = n;
  for (Word bit = Word{1} << (8 * sizeof(Word) - 2); bit != 0; bit >>= 2) {
    const bool fits = rest >= root + bit;
    if (fits) rest -= root + bit;
    root = (root >> 1) + (fits ? bit : 0);
  }
  return static_cast<std::uint32_t>(root);
}

/// The number of bits of n: 0 for 0, 1 for 1, 8 for 255.
[[nodiscard]] constexpr std::uint32_t bit_length(std::uint64_t n) noexcept {
  std::uint32_t bits = 0;
  for (; n != 0; n >>= 1) ++bits;
  return bits;
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/wide.hpp"

namespace sotto {

/// 2^32 mod n, 2 <= n <= 2^31; n is public. Cortex-M0 has no division, and the compiler's takes 300 bytes.
[[nodiscard]] constexpr std::uint32_t two_to_32_mod(std::uint32_t n) noexcept {
#if !defined(__ARM_ARCH_6M__)
  return (0u - n) % n;
#else
  std::uint32_t rest = 1;
  for (int i = 0; i < 32; ++i) {
    rest <<= 1;
    if (rest >= n) rest -= n;
  }
  return rest;
#endif
}

/// Exactly uniform in [0, n), 1 <= n <= 2^31: multiply, shift, and redraw with odds below n/2^32. n is public; n = 1 draws
/// nothing. One function for all kinds of coins, because flash is short.
[[nodiscard, gnu::noinline, gnu::noclone]] inline std::uint32_t uniform_below(std::uint32_t (*word)(void* coins) noexcept, void* coins,
                                                                std::uint32_t n) noexcept {
  if (n == 1) return 0;
  // For every draw, although few need it: a bound computed only for small remainders would show in the time which ranks are
  // possible.
  const std::uint32_t rejected = two_to_32_mod(n);
  for (;;) {
    const std::uint64_t product = multiply_32(word(coins), n);
    if (static_cast<std::uint32_t>(product) >= rejected) return static_cast<std::uint32_t>(product >> 32);
  }
}

template <class Coins>
[[nodiscard]] std::uint32_t uniform_below(Coins& coins, std::uint32_t n) noexcept {
  return uniform_below([](void* c) noexcept { return static_cast<Coins*>(c)->word(); }, &coins, n);
}

}  // namespace sotto

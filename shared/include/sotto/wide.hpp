// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// a*b, exact and in constant time. Cortex-M0 multiplies 32 bits by 32 into 32; this is half the size and time of the compiler's
/// 64-bit helper. Cortex-M3 has a long multiplication, but it ends early for small numbers, and private ranks pass through here.
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__)
[[nodiscard, gnu::noinline]] constexpr std::uint64_t multiply_32(std::uint32_t a, std::uint32_t b) noexcept {
  const std::uint32_t a0 = a & 0xffffu, a1 = a >> 16, b0 = b & 0xffffu, b1 = b >> 16;
  const std::uint32_t p00 = a0 * b0;
  const std::uint32_t upper = a1 * b0 + (p00 >> 16);        // at most (2^16-1)^2 + 2^16-1: no carry is lost
  const std::uint32_t lower = a0 * b1 + (upper & 0xffffu);  // the same
  const std::uint32_t high = a1 * b1 + (upper >> 16) + (lower >> 16);
  return std::uint64_t{high} << 32 | (lower << 16 | (p00 & 0xffffu));
}
#else
[[nodiscard]] constexpr std::uint64_t multiply_32(std::uint32_t a, std::uint32_t b) noexcept {
  return std::uint64_t{a} * b;
}
#endif

/// A 128-bit product in two halves. 32-bit cores have no __int128, and every core must give the same bits.
struct U128 {
  std::uint64_t high, low;
};

[[nodiscard]] constexpr U128 multiply_wide(std::uint64_t a, std::uint64_t b) noexcept {
  const auto a0 = static_cast<std::uint32_t>(a), a1 = static_cast<std::uint32_t>(a >> 32);
  const auto b0 = static_cast<std::uint32_t>(b), b1 = static_cast<std::uint32_t>(b >> 32);
  const std::uint64_t p00 = multiply_32(a0, b0);
  const std::uint64_t upper = multiply_32(a1, b0) + (p00 >> 32);  // at most (2^32-1)^2 + 2^32-1: no carry is lost
  const std::uint64_t lower = multiply_32(a0, b1) + (upper & 0xffffffffu);  // the same
  return {multiply_32(a1, b1) + (upper >> 32) + (lower >> 32), lower << 32 | (p00 & 0xffffffffu)};
}

/// floor(a*b / 2^64)
[[nodiscard]] constexpr std::uint64_t multiply_high_floor(std::uint64_t a, std::uint64_t b) noexcept {
  return multiply_wide(a, b).high;
}

/// ceil(a*b / 2^64). Public numbers only; out of line, because flash is short where it is used.
[[nodiscard, gnu::noinline]] constexpr std::uint64_t multiply_high_ceil(std::uint64_t a, std::uint64_t b) noexcept {
  const U128 p = multiply_wide(a, b);
  return p.high + (p.low != 0 ? 1u : 0u);
}

/// floor(n / d), 0 < d < 2^63, one bit at a time: the compiler's 64-bit division costs 700 bytes of flash on Cortex-M.
[[nodiscard, gnu::noinline]] constexpr std::uint64_t divide_floor(std::uint64_t n, std::uint64_t d) noexcept {
  std::uint64_t rest = 0;
  for (int i = 0; i < 64; ++i) {  // the quotient enters n from below as the dividend leaves it at the top
    rest = rest << 1 | n >> 63;
    n <<= 1;
    if (rest >= d) {
      rest -= d;
      n |= 1u;
    }
  }
  return n;
}

/// The same for 32 bits, 0 < d < 2^31.
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

/// Number of bits needed to write n: 0 for 0, 1 for 1, 8 for 255.
[[nodiscard]] constexpr std::uint32_t bit_length(std::uint64_t n) noexcept {
  std::uint32_t bits = 0;
  for (; n != 0; n >>= 1) ++bits;
  return bits;
}

}  // namespace sotto

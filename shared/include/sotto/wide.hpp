// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <type_traits>

namespace sotto {

#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__)
#define SOTTO_SHORT_MULTIPLICATION
namespace detail {
/// What GCC makes of the four products in C++ is twice this, because it keeps the carries in memory.
[[gnu::naked, gnu::noinline]] inline std::uint64_t multiply_add(std::uint64_t, std::uint32_t, std::uint32_t) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r4, r5, r6, lr}\n\t"
      "uxth r4, r2\n\tlsrs r2, r2, #16\n\tuxth r5, r3\n\tlsrs r3, r3, #16\n\tmovs r6, r4\n\t"
      "muls r6, r5, r6\n\tmuls r4, r3, r4\n\tmuls r5, r2, r5\n\tmuls r2, r3, r2\n\t"
      "adds r0, r0, r6\n\tadcs r1, r2\n\t"
      "lsls r6, r4, #16\n\tlsrs r4, r4, #16\n\tadds r0, r0, r6\n\tadcs r1, r4\n\t"
      "lsls r6, r5, #16\n\tlsrs r5, r5, #16\n\tadds r0, r0, r6\n\tadcs r1, r5\n\t"
      "pop {r4, r5, r6, pc}");
}

/// ceil(a*b / 2^64)
[[gnu::naked, gnu::noinline]] inline std::uint64_t multiply_high_ceil(std::uint64_t, std::uint64_t) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r0, r1, r2, r3, r4, r5, r6, lr}\n\t"  // a0, a1, b0, b1 at sp, 4, 8, 12
      "movs r6, #0\n\t"
      "movs r3, r2\n\tmovs r2, r0\n\tmovs r0, r6\n\tmovs r1, r6\n\tbl %c0\n\t"
      "movs r4, r0\n\t"
      "movs r0, r1\n\tmovs r1, r6\n\tldr r2, [sp, #4]\n\tldr r3, [sp, #8]\n\tbl %c0\n\t"
      "movs r5, r1\n\tmovs r1, r6\n\tldr r2, [sp]\n\tldr r3, [sp, #12]\n\tbl %c0\n\t"
      "orrs r4, r0\n\t"
      "adds r0, r1, r5\n\tmovs r1, r6\n\tadcs r1, r6\n\tldr r2, [sp, #4]\n\tldr r3, [sp, #12]\n\tbl %c0\n\t"
      "cmp r4, #1\n\tadcs r0, r6\n\tadcs r1, r6\n\t"  // the carry says that a bit was lost
      "add sp, #16\n\tpop {r4, r5, r6, pc}"
      :
      : "i"(multiply_add));
}
}  // namespace detail
#endif

/// sum + a*b modulo 2^64, in constant time. Cortex-M0 multiplies 32 bits by 32 into 32. Cortex-M3 has a long multiplication, but
/// it ends early for small numbers, and private ranks pass through here.
[[nodiscard]] constexpr std::uint64_t multiply_add(std::uint64_t sum, std::uint32_t a, std::uint32_t b) noexcept {
#if defined(SOTTO_SHORT_MULTIPLICATION)
  if (!std::is_constant_evaluated()) return detail::multiply_add(sum, a, b);
#endif
  return sum + std::uint64_t{a} * b;
}

/// a*b, exact and in constant time.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t multiply_32(std::uint32_t a, std::uint32_t b) noexcept {
  return multiply_add(0, a, b);
}

/// A 128-bit product in two halves. 32-bit cores have no __int128, and every core must give the same bits.
struct U128 {
  std::uint64_t high, low;
};

[[nodiscard]] constexpr U128 multiply_wide(std::uint64_t a, std::uint64_t b) noexcept {
  const auto a0 = static_cast<std::uint32_t>(a), a1 = static_cast<std::uint32_t>(a >> 32);
  const auto b0 = static_cast<std::uint32_t>(b), b1 = static_cast<std::uint32_t>(b >> 32);
  const std::uint64_t p00 = multiply_32(a0, b0);
  const std::uint64_t upper = multiply_add(p00 >> 32, a1, b0);  // at most (2^32-1)^2 + 2^32-1: no carry is lost
  const std::uint64_t lower = multiply_add(upper & 0xffffffffu, a0, b1);  // the same
  return {multiply_add((upper >> 32) + (lower >> 32), a1, b1), lower << 32 | (p00 & 0xffffffffu)};
}

/// floor(a*b / 2^64)
[[nodiscard]] constexpr std::uint64_t multiply_high_floor(std::uint64_t a, std::uint64_t b) noexcept {
  return multiply_wide(a, b).high;
}

/// ceil(a*b / 2^64). Public numbers only; out of line, because flash is short where it is used.
#if !defined(SOTTO_SHORT_MULTIPLICATION)
[[gnu::noinline]]
#endif
[[nodiscard]] constexpr std::uint64_t
multiply_high_ceil(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(SOTTO_SHORT_MULTIPLICATION)
  if (!std::is_constant_evaluated()) return detail::multiply_high_ceil(a, b);
#endif
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

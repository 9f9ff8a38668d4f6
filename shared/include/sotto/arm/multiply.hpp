// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Constant-time products of more than 32 bits. `portable` is the definition; `arm` is for cores that have no
/// constant-time long multiplication (shared/src/arm/multiply.cpp), and tests/device/test_arm.cpp compares the two on
/// the core itself.

#include <cstdint>
#include <type_traits>

namespace sotto {

/// A 128-bit product in two halves: 32-bit cores have no __int128.
struct U128 {
  std::uint64_t high, low;
};

namespace portable {
[[nodiscard]] constexpr std::uint64_t multiply_add(std::uint64_t sum, std::uint32_t a, std::uint32_t b) noexcept {
  return sum + std::uint64_t{a} * b;
}
}  // namespace portable

// Cortex-M0 multiplies 32 by 32 bits into 32. Cortex-M3 has a long multiplication, but it terminates early for small
// numbers, and private ranks are multiplied here.
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__)
#define SOTTO_SHORT_MULTIPLICATION
namespace arm {
std::uint64_t multiply_add(std::uint64_t sum, std::uint32_t a, std::uint32_t b) noexcept;
std::uint64_t multiply_high_ceil(std::uint64_t a, std::uint64_t b) noexcept;
}  // namespace arm
#endif

/// sum + a*b modulo 2^64, in constant time.
[[nodiscard]] constexpr std::uint64_t multiply_add(std::uint64_t sum, std::uint32_t a, std::uint32_t b) noexcept {
#if defined(SOTTO_SHORT_MULTIPLICATION)
  if (!std::is_constant_evaluated()) return arm::multiply_add(sum, a, b);
#endif
  return portable::multiply_add(sum, a, b);
}

/// a*b, exact and in constant time.
[[nodiscard, gnu::always_inline]] constexpr std::uint64_t multiply_32(std::uint32_t a, std::uint32_t b) noexcept {
  return multiply_add(0, a, b);
}

/// a*b, exact and in constant time.
[[nodiscard]] constexpr U128 multiply_wide(std::uint64_t a, std::uint64_t b) noexcept {
  const auto a0 = static_cast<std::uint32_t>(a), a1 = static_cast<std::uint32_t>(a >> 32);
  const auto b0 = static_cast<std::uint32_t>(b), b1 = static_cast<std::uint32_t>(b >> 32);
  const std::uint64_t p00 = multiply_32(a0, b0);
  const std::uint64_t upper = multiply_add(p00 >> 32, a1, b0);  // at most (2^32-1)^2 + 2^32-1: no carry is lost
  const std::uint64_t lower = multiply_add(upper & 0xffffffffu, a0, b1);  // no carry is lost, for the same reason
  return {multiply_add((upper >> 32) + (lower >> 32), a1, b1), lower << 32 | (p00 & 0xffffffffu)};
}

/// floor(a*b / 2^64)
[[nodiscard]] constexpr std::uint64_t multiply_high_floor(std::uint64_t a, std::uint64_t b) noexcept {
  return multiply_wide(a, b).high;
}

namespace portable {
[[nodiscard]] constexpr std::uint64_t multiply_high_ceil(std::uint64_t a, std::uint64_t b) noexcept {
  const U128 p = multiply_wide(a, b);
  return p.high + (p.low != 0 ? 1u : 0u);
}
}  // namespace portable

/// ceil(a*b / 2^64), for public numbers only. Out of line to save flash.
#if !defined(SOTTO_SHORT_MULTIPLICATION)
[[gnu::noinline]]
#endif
[[nodiscard]] constexpr std::uint64_t
multiply_high_ceil(std::uint64_t a, std::uint64_t b) noexcept {
#if defined(SOTTO_SHORT_MULTIPLICATION)
  if (!std::is_constant_evaluated()) return arm::multiply_high_ceil(a, b);
#endif
  return portable::multiply_high_ceil(a, b);
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The division of 64-bit integers. `portable` is the definition; Cortex-M cores with IT blocks run assembly
/// (shared/src/arm/divide.cpp), and tests/device/test_arm.cpp compares the two on the core itself.

#include <cstdint>
#include <type_traits>

#if defined(__thumb2__) && defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define SOTTO_DIVISION_IN_ASSEMBLY
#endif

namespace sotto {

namespace portable {

/// One bit at a time, without a branch: the same instructions whatever the numbers are.
[[nodiscard]] constexpr std::uint64_t divide_floor(std::uint64_t n, std::uint64_t d) noexcept {
  std::uint64_t rest = 0;
  for (int i = 0; i < 64; ++i) {  // the quotient enters n from below as the dividend leaves it at the top
    rest = (rest << 1 | n >> 63) - d;
    n <<= 1;
    const auto less = static_cast<std::int64_t>(rest) >> 63;  // all ones or none; |rest| < 2^63
    n |= static_cast<std::uint32_t>(less) + 1;
    rest += d & static_cast<std::uint64_t>(less);
  }
  return n;
}

}  // namespace portable

#if defined(SOTTO_DIVISION_IN_ASSEMBLY)
namespace arm {
[[nodiscard]] std::uint64_t divide_floor(std::uint64_t n, std::uint64_t d) noexcept;
}  // namespace arm
#endif

/// floor(n / d), 0 < d < 2^63. The compiler's 64-bit division takes 700 bytes of flash on Cortex-M, and its time follows
/// the numbers.
#if !defined(SOTTO_DIVISION_IN_ASSEMBLY)
[[gnu::noinline]]
#endif
[[nodiscard]] constexpr std::uint64_t
divide_floor(std::uint64_t n, std::uint64_t d) noexcept {
#if defined(SOTTO_DIVISION_IN_ASSEMBLY)
  if (!std::is_constant_evaluated()) return arm::divide_floor(n, d);
#endif
  return portable::divide_floor(n, d);
}

}  // namespace sotto

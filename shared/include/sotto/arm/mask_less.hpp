// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The constant-time comparison of private numbers. `portable` is the definition; tests/device/test_arm.cpp compares
/// the version for Cortex-M0 with it.

#include <cstdint>

namespace sotto {

namespace portable {
/// All ones when a < b, else zero: the borrow of a - b.
[[nodiscard]] constexpr std::uint32_t mask_less(std::uint32_t a, std::uint32_t b) noexcept {
  return static_cast<std::uint32_t>((std::uint64_t{a} - b) >> 32);
}
}  // namespace portable

#if defined(__ARM_ARCH_6M__)
namespace arm {
/// Two instructions, which no optimiser can rewrite. From the C++ version GCC generates seven for Cortex-M0, and two
/// for the larger cores.
[[nodiscard]] inline std::uint32_t mask_less(std::uint32_t a, std::uint32_t b) noexcept {
  std::uint32_t mask;
  __asm__(".syntax unified\n\tsubs %0, %0, %2\n\tsbcs %0, %0, %0" : "=l"(mask) : "0"(a), "l"(b) : "cc");
  return mask;
}
}  // namespace arm
#endif

}  // namespace sotto

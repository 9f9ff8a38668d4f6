// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The 64 round constants of SHA-256: the first 32 fractional bits of the cube roots of the first 64 primes. They are
/// computed at compile time, except on Cortex-M0, where code that computes them takes 90 bytes of flash
/// (shared/src/arm/sha256_constants.cpp) instead of 256 for a table. `portable` is the definition, and
/// tests/device/test_arm.cpp compares the two on the core itself.

#include <cstdint>
#include <type_traits>

#include "sotto/arm/multiply.hpp"

namespace sotto {

namespace portable {
constexpr void sha256_constants(std::uint32_t* out) noexcept {
  std::uint64_t root = std::uint64_t{1} << 61;  // Q61; its square is Q58 below, its cube Q55, all less than 2^64
  for (std::uint32_t n = 2; n <= 311; ++n) {
    std::uint32_t d = 2;
    while (n % d != 0) ++d;
    if (d != n) continue;
    std::uint64_t step = 0;
    do {  // Newton's method with a shift (2^5 for n up to 31, then 2^7) in place of the division by 3 root^2
      const std::uint64_t cube = multiply_high_ceil(multiply_high_ceil(root, root), root);
      step = static_cast<std::uint64_t>(static_cast<std::int64_t>((std::uint64_t{n} << 55) - cube) >> 1)
             << (n < 32 ? 2 : 0);
      root += step;
    } while (step >> 4 != 0);
    *out++ = static_cast<std::uint32_t>(root >> 29);
  }
}
}  // namespace portable

#if defined(__ARM_ARCH_6M__)
namespace arm {
void sha256_constants(std::uint32_t* out) noexcept;
}
#endif

constexpr void sha256_constants(std::uint32_t* out) noexcept {
#if defined(__ARM_ARCH_6M__)
  if (!std::is_constant_evaluated()) return arm::sha256_constants(out);
#endif
  portable::sha256_constants(out);
}

}  // namespace sotto

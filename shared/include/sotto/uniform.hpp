// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Exactly uniform integers below a public bound, from any source of random 32-bit words.

#include <cstdint>

namespace sotto {

/// 2^32 mod n, 2 <= n <= 2^31; n is public. Cortex-M0 has no division instruction, and the compiler's routine takes 300
/// bytes.
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

/// Exactly uniform in [0, n), 1 <= n <= 2^31: multiply and shift, with rejection sampling (a word is rejected with
/// probability below n/2^32). n is public; n = 1 draws no word. One function for all kinds of coins, to save flash.
[[nodiscard]] std::uint32_t uniform_below(std::uint32_t (*word)(void* coins) noexcept, void* coins,
                                          std::uint32_t n) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The rounds of ChaCha. `portable` is the definition; Cortex-M0 runs assembly instead
/// (shared/src/arm/chacha_rounds.cpp), and tests/device/test_arm.cpp compares the two on the core itself.

#include <cstdint>

#include "sotto/barrier.hpp"

namespace sotto {

namespace portable {

[[nodiscard]] constexpr std::uint32_t rotate_left(std::uint32_t v, int n) noexcept {
  return (v << n) | (v >> (32 - n));
}

[[gnu::always_inline]] constexpr void quarter_round(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c,
                                                    std::uint32_t& d) noexcept {
  a += b;
  d = rotate_left(d ^ a, 16);
  c += d;
  b = rotate_left(b ^ c, 12);
  a += b;
  d = rotate_left(d ^ a, 8);
  c += d;
  b = rotate_left(b ^ c, 7);
}

/// Runs `left` rounds, an even number, over the 16 words. Unrolled: 350 bytes more than a loop over indices, and half
/// the instructions.
[[gnu::always_inline]] inline void chacha_rounds(std::uint32_t x[16], int left) noexcept {
  do {
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) quarter_round(x[i], x[4 + i], x[8 + i], x[12 + i]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
    memory_seen(x);  // forces the words back to memory, so that fewer are spilled elsewhere
    left -= 2;
  } while (left != 0);
}

}  // namespace portable

/// The same, as this core runs it. It is a separate function because it spills words to the stack, from which the
/// rounds could be reversed to the key: the caller wipes that stack.
void chacha_rounds(std::uint32_t x[16], int left) noexcept;

}  // namespace sotto

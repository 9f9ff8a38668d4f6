// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The ChaCha block function. `portable` is the definition; Cortex-M cores run assembly instead
/// (shared/src/arm/chacha_block.cpp), and tests/device/test_arm.cpp compares the two on the core itself.

#include <cstdint>

#include "sotto/barrier.hpp"

#if defined(__ARM_ARCH_PROFILE) && __ARM_ARCH_PROFILE == 'M'
#define SOTTO_CHACHA_IN_ASSEMBLY
#endif

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

/// Runs `left` rounds, an even number, over the 16 words.
[[gnu::always_inline]] inline void chacha_rounds(std::uint32_t x[16], std::uint32_t left) noexcept {
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

/// `rounds` is a multiple of 4. `start` is memory for the words before the rounds, which are wiped at the end. The
/// function is not inlined, because it spills words to the stack from which the key could be computed: the caller wipes
/// that part of the stack.
[[gnu::noinline]] inline void chacha_block(const std::uint32_t key_counter_nonce[12], std::uint32_t rounds,
                                           std::uint32_t out[16], std::uint32_t start[16]) noexcept {
  constexpr std::uint32_t k_constants[4] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
  for (int i = 0; i < 16; ++i) start[i] = i < 4 ? k_constants[i] : key_counter_nonce[i - 4];
  for (int i = 0; i < 16; ++i) out[i] = start[i];  // only now: out may be where the key was
  chacha_rounds(out, rounds);
  for (int i = 0; i < 16; ++i) {
    out[i] += start[i];
    start[i] = 0;
    memory_seen(start);
  }
}

}  // namespace portable

#if defined(SOTTO_CHACHA_IN_ASSEMBLY)
namespace arm {
/// The same in assembly. It leaves nothing secret on the stack.
void chacha_block(const std::uint32_t key_counter_nonce[12], std::uint32_t rounds, std::uint32_t out[16],
                  std::uint32_t start[16]) noexcept;
}  // namespace arm
#endif

}  // namespace sotto

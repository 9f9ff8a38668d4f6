// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/chacha.hpp"

#include "sotto/bytes.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t rotate_left(std::uint32_t v, int n) noexcept { return (v << n) | (v >> (32 - n)); }

// Unrolled: 350 bytes more than a loop over indices, and half the instructions.
inline __attribute__((always_inline)) void quarter_round(std::uint32_t& a, std::uint32_t& b, std::uint32_t& c,
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

// A function of its own, because it spills to stack that has no name, and the rounds can be run backwards from there to the key.
[[gnu::noinline]] void run_rounds(std::uint32_t x[16], int left) noexcept {
  do {
#if !defined(__ARM_ARCH_6M__)  // where the state is in memory anyway
#pragma GCC unroll 4
#endif
    for (int i = 0; i < 4; ++i) quarter_round(x[i], x[4 + i], x[8 + i], x[12 + i]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
    __asm__ volatile("" : : "r"(x) : "memory");  // back to x once in a while: less is spilled
    left -= 2;
  } while (left != 0);
}

/// Returns the end of what was written. A function of its own, once for its three uses.
[[gnu::noinline]] std::uint32_t* copy_words(std::uint32_t* to, const std::uint32_t* from, int words) noexcept {
  do {
    *to++ = *from++;
  } while (--words != 0);
  return to;
}

}  // namespace

void chacha_words(std::uint32_t* to, const std::uint8_t* from, int words) noexcept {
  for (; words != 0; --words, from += 4) *to++ = load_u32(from);
}

void chacha_block(const std::uint32_t key[8], std::uint32_t counter, const std::uint32_t nonce[3], ChachaRounds rounds,
                  std::uint32_t out[16]) noexcept {
  static constexpr std::uint32_t k_constants[4] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
  std::uint32_t start[16];
  std::uint32_t* next = copy_words(copy_words(start, k_constants, 4), key, 8);
  *next++ = counter;
  copy_words(next, nonce, 3);
  copy_words(out, start, 16);  // only now: out may be where the key was

  run_rounds(out, static_cast<int>(rounds));
  wipe_stack();

  for (int i = 0; i < 16; ++i) {
    out[i] += start[i];
    wipe_word(start[i]);
  }
}

}  // namespace sotto

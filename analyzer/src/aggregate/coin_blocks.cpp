// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/coin_blocks.hpp"

#include <cstring>

#include "sotto/bytes.hpp"
#include "sotto/chacha.hpp"

namespace sotto::analyzer {

namespace {

using Lanes = std::uint32_t __attribute__((vector_size(4 * k_coin_lanes)));
static_assert(sizeof(Lanes) == sizeof(CoinBlocks::word[0]));

inline Lanes rotate_left(Lanes v, int n) noexcept { return (v << n) | (v >> (32 - n)); }

inline void quarter(Lanes& a, Lanes& b, Lanes& c, Lanes& d) noexcept {
  a += b;
  d = rotate_left(d ^ a, 16);
  c += d;
  b = rotate_left(b ^ c, 12);
  a += b;
  d = rotate_left(d ^ a, 8);
  c += d;
  b = rotate_left(b ^ c, 7);
}

inline Lanes all(std::uint32_t v) noexcept { return Lanes{} + v; }

}  // namespace

void coin_blocks(const std::uint8_t* study_seed, std::uint16_t round, CoinPurpose purpose, std::uint32_t number,
                 const std::array<std::uint64_t, k_coin_lanes>& pseudonyms, CoinBlocks& out) noexcept {
  Lanes start[16] = {all(0x61707865u), all(0x3320646eu), all(0x79622d32u), all(0x6b206574u)};
  for (int i = 0; i < 8; ++i) start[4 + i] = all(load_u32(study_seed + 4 * i));
  start[12] = all(number);
  for (std::size_t lane = 0; lane < k_coin_lanes; ++lane) {
    start[13][lane] = static_cast<std::uint32_t>(pseudonyms[lane]);
    start[14][lane] = static_cast<std::uint32_t>(pseudonyms[lane] >> 32);
  }
  start[15] = all(std::uint32_t{round} | std::uint32_t{static_cast<std::uint8_t>(purpose)} << 16);
  Lanes x[16];
  std::memcpy(x, start, sizeof x);
  for (int i = 0; i < static_cast<int>(ChachaRounds::public_coins); i += 2) {
    quarter(x[0], x[4], x[8], x[12]);
    quarter(x[1], x[5], x[9], x[13]);
    quarter(x[2], x[6], x[10], x[14]);
    quarter(x[3], x[7], x[11], x[15]);
    quarter(x[0], x[5], x[10], x[15]);
    quarter(x[1], x[6], x[11], x[12]);
    quarter(x[2], x[7], x[8], x[13]);
    quarter(x[3], x[4], x[9], x[14]);
  }
  for (int i = 0; i < 16; ++i) x[i] += start[i];
  std::memcpy(out.word, x, sizeof x);
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/public_bytes.hpp"

#include <bit>
#include <cstring>

#include "sotto/bytes.hpp"

namespace sotto::analyzer {

namespace {

static_assert(std::endian::native == std::endian::little, "words are stored as they lie in memory");

// Lane i belongs to block i of the group.
using ByteLanes = std::uint32_t __attribute__((vector_size(16)));

inline void quarter_round(ByteLanes& a, ByteLanes& b, ByteLanes& c, ByteLanes& d) noexcept {
  a += b;
  d ^= a;
  d = (d << 16) | (d >> 16);
  c += d;
  b ^= c;
  b = (b << 12) | (b >> 20);
  a += b;
  d ^= a;
  d = (d << 8) | (d >> 24);
  c += d;
  b ^= c;
  b = (b << 7) | (b >> 25);
}

inline ByteLanes in_all(std::uint32_t v) noexcept { return ByteLanes{v, v, v, v}; }

// Words w .. w+3 of the four blocks, from lanes to blocks.
inline void store_transposed(const ByteLanes* x, std::uint8_t* out) noexcept {
  const ByteLanes low01 = __builtin_shufflevector(x[0], x[1], 0, 4, 1, 5),
                  high01 = __builtin_shufflevector(x[0], x[1], 2, 6, 3, 7);
  const ByteLanes low23 = __builtin_shufflevector(x[2], x[3], 0, 4, 1, 5),
                  high23 = __builtin_shufflevector(x[2], x[3], 2, 6, 3, 7);
  const ByteLanes blocks[4] = {
      __builtin_shufflevector(low01, low23, 0, 1, 4, 5), __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
      __builtin_shufflevector(high01, high23, 0, 1, 4, 5), __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
  for (std::uint32_t i = 0; i < k_blocks_at_once; ++i)
    std::memcpy(out + i * k_public_block_bytes, &blocks[i], sizeof(ByteLanes));
}

}  // namespace

void public_bytes(const CoinLabel& label, CoinPurpose purpose, std::uint32_t first_block, std::uint32_t groups,
                  std::uint8_t* out) noexcept {
  constexpr std::uint32_t k_constants[4] = {0x61707865u, 0x3320646eu, 0x79622d32u, 0x6b206574u};
  ByteLanes start[16];
  for (int i = 0; i < 4; ++i) start[i] = in_all(k_constants[i]);
  for (int i = 0; i < 8; ++i) start[4 + i] = in_all(load_u32(label.study_seed + 4 * i));
  start[12] = in_all(first_block) + ByteLanes{0, 1, 2, 3};
  start[13] = in_all(static_cast<std::uint32_t>(label.pseudonym));
  start[14] = in_all(static_cast<std::uint32_t>(label.pseudonym >> 32));
  start[15] = in_all(std::uint32_t{label.round} | std::uint32_t{static_cast<std::uint8_t>(purpose)} << 16);

  for (std::uint32_t group = 0; group < groups; ++group) {
    ByteLanes x[16];
    for (int i = 0; i < 16; ++i) x[i] = start[i];
    for (int round = 0; round < static_cast<int>(ChachaRounds::public_coins); round += 2) {
      quarter_round(x[0], x[4], x[8], x[12]);
      quarter_round(x[1], x[5], x[9], x[13]);
      quarter_round(x[2], x[6], x[10], x[14]);
      quarter_round(x[3], x[7], x[11], x[15]);
      quarter_round(x[0], x[5], x[10], x[15]);
      quarter_round(x[1], x[6], x[11], x[12]);
      quarter_round(x[2], x[7], x[8], x[13]);
      quarter_round(x[3], x[4], x[9], x[14]);
    }
    for (int i = 0; i < 16; ++i) x[i] += start[i];
    for (int w = 0; w < 16; w += 4) store_transposed(x + w, out + group * k_bytes_at_once + 4 * w);
    start[12] += in_all(k_blocks_at_once);
  }
}

}  // namespace sotto::analyzer

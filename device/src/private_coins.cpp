// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/private_coins.hpp"

#include "sotto/bytes.hpp"
#include "sotto/chacha.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {
constexpr std::uint32_t k_equal_neighbours = 6;
constexpr std::uint32_t k_bits_low = 72, k_bits_high = 184;
}  // namespace

Status seed_health(const std::uint8_t seed[k_seed_bytes]) noexcept {
  std::uint32_t lanes = 0;  // bits set, in four bytes of at most 64 each
  for (std::size_t i = 0; i < k_seed_bytes; i += 4) {
    std::uint32_t v = load_u32(seed + i);
    v -= (v >> 1) & 0x55555555u;
    v = (v & 0x33333333u) + ((v >> 2) & 0x33333333u);
    lanes += (v + (v >> 4)) & 0x0f0f0f0fu;
  }
  lanes = (lanes & 0x00ff00ffu) + ((lanes >> 8) & 0x00ff00ffu);
  const std::uint32_t bits_set = (lanes + (lanes >> 16)) & 0x1ffu;
  std::uint32_t run = 0, before = 256;  // no byte
  for (std::size_t i = 0; i < k_seed_bytes; ++i) {
    if (seed[i] != before) run = 0;
    before = seed[i];
    if (++run == k_equal_neighbours) return Status::entropy_fault;
  }
  return bits_set >= k_bits_low && bits_set <= k_bits_high ? Status::ok : Status::entropy_fault;
}

PrivateCoins::~PrivateCoins() {
  wipe(key_and_words_, 8 + k_words);
  wipe(last_seed_, 2);
}

Status PrivateCoins::begin_report(const EntropySource& source) noexcept {
  ready_ = false;
  wipe(key_and_words_ + 8, k_words);
  used_ = k_words;
  if (source.ready == nullptr || source.read == nullptr || !source.ready(source.context))
    return Status::entropy_not_ready;

  std::uint32_t seed[8];
  wipe(seed, 8);  // a hook that says yes and writes nothing meets the health test
  auto* const bytes = reinterpret_cast<std::uint8_t*>(seed);
  Status status = source.read(source.context, bytes, k_seed_bytes) ? seed_health(bytes) : Status::entropy_fault;
  if (status == Status::ok) {
    if (seed[0] == last_seed_[0] && seed[1] == last_seed_[1]) status = Status::entropy_fault;
    last_seed_[0] = seed[0];
    last_seed_[1] = seed[1];
  }
  if (status == Status::ok) {
    // The key mixes all seeds so far: one good seed is enough for all later reports.
    for (int i = 0; i < 8; ++i) key_and_words_[i] ^= from_little_endian(seed[i]);
    ready_ = true;
  }
  wipe(seed, 8);
  return status;
}

std::uint32_t PrivateCoins::word() noexcept {
  if (used_ == k_words) {
    constexpr std::uint32_t k_nonce[3] = {};
    chacha_block(key_and_words_, 0, k_nonce, ChachaRounds::private_coins, key_and_words_);
    used_ = 0;
  }
  std::uint32_t& slot = key_and_words_[8 + used_++];
  const std::uint32_t w = slot;
  slot = 0;
  return w;
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/public_coins.hpp"

#include <bit>

namespace sotto {

namespace {
static_assert(std::endian::native == std::endian::little, "the seed is read as words");
constexpr std::uint32_t k_no_block = ~std::uint32_t{0};  // never reached: offsets are below 2^32 bytes, 2^26 blocks
}  // namespace

PublicCoins::PublicCoins(const CoinLabel& label, CoinPurpose purpose) noexcept : block_number_(k_no_block) {
  __builtin_memcpy(key_, label.study_seed, sizeof key_);
  nonce_[0] = static_cast<std::uint32_t>(label.pseudonym);
  nonce_[1] = static_cast<std::uint32_t>(label.pseudonym >> 32);
  nonce_[2] = std::uint32_t{label.round} | std::uint32_t{static_cast<std::uint8_t>(purpose)} << 16;
}

const std::uint32_t* PublicCoins::block_of(std::uint32_t byte_offset) noexcept {
  const std::uint32_t number = byte_offset >> 6;
  if (number != block_number_) {
    block_number_ = number;
    chacha_block(key_, ChachaRounds::public_coins, block_);
  }
  return block_ + ((byte_offset >> 2) & 15u);
}

std::uint32_t PublicCoins::draw(void* coins) noexcept {
  PublicCoins& c = *static_cast<PublicCoins*>(coins);
  const std::uint32_t w = *c.block_of(c.at_);
  c.at_ += 4;
  return w;
}

std::uint8_t PublicCoins::byte() noexcept {
  const std::uint32_t w = *block_of(at_);
  const auto b = static_cast<std::uint8_t>(w >> (8 * (at_ & 3u)));
  ++at_;
  return b;
}

}  // namespace sotto

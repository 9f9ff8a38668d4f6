// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/coins.hpp"

#include <sodium.h>

#include <bit>
#include <cstring>

#include "sotto/analyzer/crypto/random.hpp"

namespace sotto::analyzer::central {

Coins::Coins(std::optional<std::uint64_t> seed, std::uint64_t stream) {
  require_sodium();
  if (!seed) {
    random_bytes(key_);
    return;
  }
  const std::uint64_t from[2] = {*seed, stream};
  crypto_generichash(key_.data(), key_.size(), reinterpret_cast<const unsigned char*>(from), sizeof from, nullptr, 0);
}

Coins::~Coins() {
  wipe_secret(key_);
  sodium_memzero(words_.data(), sizeof words_);
}

void Coins::refill() {
  static_assert(crypto_stream_chacha20_NONCEBYTES == sizeof block_ && crypto_stream_chacha20_KEYBYTES == 32);
  std::array<unsigned char, sizeof block_> nonce{};
  std::memcpy(nonce.data(), &block_, sizeof block_);
  crypto_stream_chacha20(reinterpret_cast<unsigned char*>(words_.data()), sizeof words_, nonce.data(), key_.data());
  ++block_;
  next_ = 0;
}

std::uint64_t Coins::below(std::uint64_t n) {
  if (n <= 1) return 0;
  const int spare = std::countl_zero(n - 1);
  for (;;) {
    const std::uint64_t v = word() >> spare;
    if (v < n) return v;
  }
}

}  // namespace sotto::analyzer::central

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/hmac.hpp"

#include "sotto/wipe.hpp"

namespace sotto {

namespace {
// Sha256 leaves message blocks on the stack and does not wipe them, because devices hash nothing secret; HMAC does it
// here.
constexpr std::size_t k_hash_stack_bytes = 512;
}  // namespace

HmacSha256::HmacSha256(const std::span<const std::uint8_t>& key) noexcept {
  if (key.size() > sizeof key_) {
    Digest digest;
    hash_.add(key);
    hash_.finish(digest);
    for (std::size_t i = 0; i < digest.size(); ++i) key_[i] = digest[i];
    wipe(digest);
  } else {
    for (std::size_t i = 0; i < key.size(); ++i) key_[i] = key[i];
  }
  begin(0x36);
}

HmacSha256::~HmacSha256() {
  wipe(key_);
  wipe_object(hash_);
  wipe_stack<k_hash_stack_bytes>();
}

void HmacSha256::begin(std::uint8_t pad) noexcept {
  hash_.restart();
  for (std::uint8_t& b : key_) b ^= pad;
  hash_.add(key_);
  for (std::uint8_t& b : key_) b ^= pad;
}

void HmacSha256::finish(Digest& out) noexcept {
  Digest inner;
  hash_.finish(inner);
  begin(0x5c);
  hash_.add(inner);
  hash_.finish(out);
  wipe(inner);
}

}  // namespace sotto

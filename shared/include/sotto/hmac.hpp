// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// HMAC-SHA-256, for keys that the issuer derives and for authenticated ledgers.

#include <cstdint>
#include <span>

#include "sotto/sha256.hpp"

namespace sotto {

/// HMAC-SHA-256 (RFC 2104) of a message that is added in pieces. Wiped by the destructor.
class HmacSha256 {
 public:
  explicit HmacSha256(const std::span<const std::uint8_t>& key) noexcept;
  HmacSha256(const HmacSha256&) = delete;
  HmacSha256& operator=(const HmacSha256&) = delete;
  ~HmacSha256();

  void add(const std::span<const std::uint8_t>& bytes) noexcept { hash_.add(bytes); }
  /// Writes the code of everything added. The object cannot be used afterwards.
  void finish(Digest& out) noexcept;

 private:
  void begin(std::uint8_t pad) noexcept;

  Sha256 hash_;
  std::uint8_t key_[64] = {};
};

}  // namespace sotto

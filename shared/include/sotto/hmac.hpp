// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/sha256.hpp"

namespace sotto {

/// HMAC-SHA-256 (RFC 2104) over pieces.
class HmacSha256 {
 public:
  explicit HmacSha256(const std::span<const std::uint8_t>& key) noexcept;
  HmacSha256(const HmacSha256&) = delete;
  HmacSha256& operator=(const HmacSha256&) = delete;
  ~HmacSha256();

  void add(const std::span<const std::uint8_t>& bytes) noexcept { hash_.add(bytes); }
  /// The code of everything added; the object is spent afterwards.
  void finish(Digest& out) noexcept;

 private:
  void begin(std::uint8_t pad) noexcept;

  Sha256 hash_;
  std::uint8_t key_[64] = {};
};

}  // namespace sotto

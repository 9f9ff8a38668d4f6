// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// SHA-512, for the verification of Ed25519 signatures.

#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

inline constexpr std::size_t k_sha512_bytes = 64;

/// SHA-512 (FIPS 180-4) over pieces: the hash inside Ed25519. Everything else in this library is named by SHA-256.
class Sha512 {
 public:
  Sha512() noexcept;
  void add(const std::span<const std::uint8_t>& bytes) noexcept;
  /// The digest of everything added; the object is spent afterwards.
  void finish(const std::span<std::uint8_t, k_sha512_bytes>& out) noexcept;

 private:
  void put(std::uint8_t byte) noexcept;
  void compress() noexcept;
  std::uint64_t state_[8];   // the last first
  std::uint64_t block_[16];  // bytes as they came
  std::size_t length_;
};

}  // namespace sotto

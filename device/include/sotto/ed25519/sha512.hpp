// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// SHA-512, for Ed25519 alone. All other digests of the library are SHA-256.

#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

inline constexpr std::size_t k_sha512_bytes = 64;

/// SHA-512 (FIPS 180-4) of bytes that are added in pieces.
class Sha512 {
 public:
  Sha512() noexcept;
  void add(const std::span<const std::uint8_t>& bytes) noexcept;
  /// Writes the digest of everything added. The object cannot be used afterwards.
  void finish(const std::span<std::uint8_t, k_sha512_bytes>& out) noexcept;

 private:
  void put(std::uint8_t byte) noexcept;
  void compress() noexcept;
  std::uint64_t state_[8];   // in reverse order: h first
  std::uint64_t block_[16];  // bytes in the order of the input
  std::size_t length_;
};

}  // namespace sotto

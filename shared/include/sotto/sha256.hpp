// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace sotto {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4) over pieces: names studies, rounds and specs.
class Sha256 {
 public:
  Sha256() noexcept;
  void add(const std::span<const std::uint8_t>& bytes) noexcept;
  /// The digest of everything added; the object is spent afterwards.
  void finish(Digest& out) noexcept;

 private:
  void put(std::uint8_t byte) noexcept;
  void compress() noexcept;
  std::uint32_t state_[8];
  std::uint32_t block_[16];  // bytes as they came
  std::uint64_t length_ = 0;
};

/// The digest of one piece.
void sha256(const std::span<const std::uint8_t>& bytes, Digest& out) noexcept;

}  // namespace sotto

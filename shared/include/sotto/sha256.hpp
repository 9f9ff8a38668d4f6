// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// SHA-256. Its digests identify studies, rounds and specs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4) of bytes that are added in pieces.
/// Cost     8,000 to 10,000 instructions for 64 bytes; on Cortex-M0 one million for the first, because its round
///          constants are computed to save flash.
class Sha256 {
 public:
  Sha256() noexcept;
  /// Returns to the initial state.
  void restart() noexcept;
  void add(const std::span<const std::uint8_t>& bytes) noexcept;
  /// Writes the digest of everything added. Call restart() before the object is used again.
  void finish(Digest& out) noexcept;

 private:
  void put(std::uint8_t byte) noexcept;
  void compress() noexcept;
  // The 16 words of the block, which become the next words of the schedule, then the state in reverse order: h first.
  // Each of the two is followed by one word that a round fills.
  static constexpr int k_state = 17;
  std::uint32_t words_[16 + 1 + 8 + 1];
  std::size_t length_;
#if defined(__ARM_ARCH_6M__)
  std::uint32_t round_[64];
#endif
};

/// The digest of one byte string.
void sha256(const std::span<const std::uint8_t>& bytes, Digest& out) noexcept;

}  // namespace sotto

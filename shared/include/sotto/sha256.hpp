// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// SHA-256 and the digests that name studies, rounds and specs.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace sotto {

using Digest = std::array<std::uint8_t, 32>;

/// SHA-256 (FIPS 180-4) over pieces: names studies, rounds and specs.
/// Cost     8,000 to 10,000 instructions for 64 bytes; on Cortex-M0 one million for the first, because its round constants are
///          computed to save flash.
class Sha256 {
 public:
  Sha256() noexcept;
  /// Like new.
  void restart() noexcept;
  void add(const std::span<const std::uint8_t>& bytes) noexcept;
  /// The digest of everything added; the object is spent afterwards.
  void finish(Digest& out) noexcept;

 private:
  void put(std::uint8_t byte) noexcept;
  void compress() noexcept;
  std::uint32_t
      words_[24];  // of the block, which become the next 16 of the schedule, then the state, the last first: h, g, .. a
  std::size_t length_;
#if defined(__ARM_ARCH_6M__)
  std::uint32_t round_[64];
#endif
};

/// The digest of one piece.
void sha256(const std::span<const std::uint8_t>& bytes, Digest& out) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/chacha.hpp"
#include "sotto/uniform.hpp"

namespace sotto {

/// What a stream of public coins is for; different purposes never share a coin.
enum class CoinPurpose : std::uint8_t {
  cohort = 0,
  masks = 1,
  rotation = 2,
  slot = 3,
  codewords = 4,
  row = 5,         ///< which record answers
  coordinate = 6,  ///< which coordinate of a vector is asked
  shared_projection = 16,
  shared_fourier = 17,
  shared_rotation = 18,
};

/// Whose coins: the study's public seed (32 bytes), the device's issued pseudonym (0 for coins that all devices share), the round.
struct CoinLabel {
  const std::uint8_t* study_seed;
  std::uint64_t pseudonym;
  std::uint16_t round;
};

/// The coins that device and analyzer both know: ChaCha8 under the study's seed. They carry no privacy, only accuracy.
class PublicCoins {
 public:
  PublicCoins(const CoinLabel& label, CoinPurpose purpose) noexcept;

  /// The next four bytes, little-endian. Words and bytes of one stream are not mixed.
  [[nodiscard]] std::uint32_t word() noexcept { return draw(this); }
  [[nodiscard]] std::uint8_t byte() noexcept;
  /// Uniform in [0, n), n >= 1.
  [[nodiscard]] std::uint32_t below(std::uint32_t n) noexcept { return uniform_below(draw, this, n); }
  /// Continues at this byte of the stream, so that the analyzer reads one codeword of thousands.
  void seek(std::uint32_t byte_offset) noexcept { at_ = byte_offset; }

 private:
  static std::uint32_t draw(void* coins) noexcept;
  const std::uint32_t* block_of(std::uint32_t byte_offset) noexcept;
  std::uint32_t key_[8];
  std::uint32_t block_number_;  // of the block that is made
  std::uint32_t nonce_[3];
  std::uint32_t block_[16];
  std::uint32_t at_ = 0;
};

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Public randomness: pseudorandom bits that device and analyzer both derive from the study's seed. They choose
/// cohorts, records, masks, rotations and codewords. Privacy does not depend on them, only accuracy.

#include <cstdint>

#include "sotto/chacha.hpp"
#include "sotto/uniform.hpp"

namespace sotto {

/// The purpose of a stream of public coins; streams of different purposes are independent.
enum class CoinPurpose : std::uint8_t {
  cohort = 0,              ///< the cohort of a device
  masks = 1,               ///< masks of walsh_hash, coordinates of a block
  rotation = 2,            ///< the rotation of cross_polytope
  slot = 3,                ///< when a report is sent
  codewords = 4,           ///< codewords of sphere_code, normals of hemisphere
  row = 5,                 ///< which record answers
  coordinate = 6,          ///< which coordinate of a vector is asked
  shared_projection = 16,  ///< projections of sketch; shared by all devices, as are the following
  shared_fourier = 17,     ///< random Fourier features
  shared_rotation = 18,    ///< the rotation of bin and value
};

/// Which stream: the study's public seed (32 bytes), the pseudonym of the device (0 for coins that all devices share)
/// and the round.
struct CoinLabel {
  const std::uint8_t* study_seed;
  std::uint64_t pseudonym;
  std::uint16_t round;
};

/// A stream of public coins: ChaCha8 under the study's seed.
class PublicCoins {
 public:
  PublicCoins(const CoinLabel& label, CoinPurpose purpose) noexcept;

  /// The next four bytes of the stream as a little-endian number. A stream is read by words or by bytes, not by both.
  [[nodiscard]] std::uint32_t word() noexcept { return draw(this); }
  [[nodiscard]] std::uint8_t byte() noexcept;
  /// Uniform in [0, n), n >= 1.
  [[nodiscard]] std::uint32_t below(std::uint32_t n) noexcept { return uniform_below(draw, this, n); }
  /// Continues at this byte of the stream, so that the analyzer can read one codeword of thousands.
  void seek(std::uint32_t byte_offset) noexcept { at_ = byte_offset; }

 private:
  static std::uint32_t draw(void* coins) noexcept;
  const std::uint32_t* block_of(std::uint32_t byte_offset) noexcept;
  std::uint32_t key_[8];
  std::uint32_t block_number_;  // number of the block in block_
  std::uint32_t nonce_[3];
  std::uint32_t block_[16];
  std::uint32_t at_ = 0;
};

}  // namespace sotto

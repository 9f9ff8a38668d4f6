// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What public coins choose for a device, independently of its data: the record that answers, the coordinate of a
/// vector, the signs of a rotation. Device and analyzer call the same functions.

#include <bit>
#include <cstdint>

#include "sotto/public_coins.hpp"

namespace sotto {

/// The row that answers when a round asks for one record. If the device does not hold that row, zeros take its place.
[[nodiscard]] inline std::uint32_t chosen_row(const CoinLabel& label, std::uint32_t nominal_rows) noexcept {
  PublicCoins coins{label, CoinPurpose::row};
  return coins.below(nominal_rows);
}

/// The number of coordinates of a rotated vector: the next power of two.
[[nodiscard]] constexpr std::uint32_t rotated_size(std::uint32_t size) noexcept { return std::bit_ceil(size); }

/// Which coordinate of the rotated vector a device is asked for.
[[nodiscard]] inline std::uint32_t chosen_coordinate(const CoinLabel& label, std::uint32_t size) noexcept {
  PublicCoins coins{label, CoinPurpose::coordinate};
  return coins.below(rotated_size(size));
}

/// The signs of a study's rotation, a word at a time: bit i%32 of word i/32 is set for sign -1 of coordinate i. They
/// are the same for all devices and rounds, so that ranges found in one round serve the next. The rotation of v is
/// hadamard(signs * v) / sqrt(P), v padded with zeros to P = rotated_size().
[[nodiscard]] inline PublicCoins rotation_signs(const CoinLabel& label) noexcept {
  return {{label.study_seed, 0, 0}, CoinPurpose::shared_rotation};
}

}  // namespace sotto

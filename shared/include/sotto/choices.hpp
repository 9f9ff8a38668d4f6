// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <bit>
#include <cstdint>

#include "sotto/public_coins.hpp"

// What public coins choose for a device before it looks at its data; the analyzer asks the same functions.
namespace sotto {

/// The record that answers for a device with this nominal number of rows. One that it does not hold counts as zeros.
[[nodiscard]] inline std::uint32_t chosen_row(const CoinLabel& label, std::uint32_t nominal_rows) noexcept {
  PublicCoins coins{label, CoinPurpose::row};
  return coins.below(nominal_rows);
}

/// Coordinates of a rotated vector: the next power of two.
[[nodiscard]] constexpr std::uint32_t rotated_size(std::uint32_t size) noexcept { return std::bit_ceil(size); }

/// The rotated coordinate that a device is asked for.
[[nodiscard]] inline std::uint32_t chosen_coordinate(const CoinLabel& label, std::uint32_t size) noexcept {
  PublicCoins coins{label, CoinPurpose::coordinate};
  return coins.below(rotated_size(size));
}

/// The signs of a study's rotation, the same for all devices and rounds, so that ranges found in one round serve the next: bit
/// i%32 of word i/32, set for -1. The rotation is hadamard(signs * v) / sqrt(P), v padded with zeros to P.
[[nodiscard]] inline PublicCoins rotation_signs(const CoinLabel& label) noexcept {
  return {{label.study_seed, 0, 0}, CoinPurpose::shared_rotation};
}

}  // namespace sotto

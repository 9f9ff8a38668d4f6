// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Coordinates of public random vectors, nearly Gaussian, from public coins: the normals of hemispheres and the
/// codewords of sphere codes. Device and analyzer derive the same vectors.

#include <cstdint>

#include "sotto/public_coins.hpp"
#include "sotto/wide.hpp"

namespace sotto {

/// One coordinate is the sum of two table entries that one byte selects; its kurtosis is 2.9992 (a Gaussian's is 3).
/// The tables were found by search. They affect accuracy only: the bias of a hemisphere report is below 0.3 per cent
/// for every direction.
inline constexpr std::int8_t k_nibble_low[16] = {-65, -37, -28, -24, -16, -15, -12, -1, 1, 12, 15, 16, 24, 28, 37, 65};
inline constexpr std::int8_t k_nibble_high[16] = {-41, -17, -15, -10, -9, -7, -4, -3, 3, 4, 7, 9, 10, 15, 17, 41};
/// The variance of one coordinate, times 4.
inline constexpr std::uint32_t k_nibble_variance_x4 = 5015;

/// A coordinate from the lowest byte of `coins`: |u| <= 106.
[[nodiscard]] inline std::int32_t nibble_pair(std::uint32_t coins) noexcept {
  return k_nibble_low[coins & 15u] + k_nibble_high[(coins >> 4) & 15u];
}

/// One coordinate of a hemisphere's normal, from one byte.
[[nodiscard]] inline std::int32_t hemisphere_coordinate(PublicCoins& coins) noexcept {
  return nibble_pair(coins.byte());
}

/// One coordinate of a sphere codeword, from two bytes: |u| <= 212. Two bytes, because the k closest of many codewords
/// are in the tails of the distribution, where one byte would turn directions by up to 1.5 degrees.
[[nodiscard]] inline std::int32_t sphere_coordinate(PublicCoins& coins) noexcept {
  const std::int32_t first = hemisphere_coordinate(coins);
  return first + hemisphere_coordinate(coins);
}

/// floor(2^24 / |u|), from the squared length of a codeword, which must be below 2^24; 0 for the zero codeword.
[[nodiscard]] inline std::uint32_t inverse_length_q24(std::uint32_t square) noexcept {
  return square == 0 ? 0 : divide_floor_32(std::uint32_t{1} << 28, root_floor(square << 8));
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/public_coins.hpp"
#include "sotto/wide.hpp"

namespace sotto {

/// Coordinates of public random vectors, close to Gaussian (kurtosis 2.9992), from one byte: two table look-ups and an add.
/// Found by search; they matter for accuracy only (bias of a hemisphere report below 0.3 per cent for every direction).
inline constexpr std::int8_t k_nibble_low[16] = {-65, -37, -28, -24, -16, -15, -12, -1, 1, 12, 15, 16, 24, 28, 37, 65};
inline constexpr std::int8_t k_nibble_high[16] = {-41, -17, -15, -10, -9, -7, -4, -3, 3, 4, 7, 9, 10, 15, 17, 41};
/// Variance of one coordinate, times 4.
inline constexpr std::uint32_t k_nibble_variance_x4 = 5015;

/// A coordinate from the lowest byte of `coins`: |u| <= 106.
[[nodiscard]] inline std::int32_t nibble_pair(std::uint32_t coins) noexcept {
  return k_nibble_low[coins & 15u] + k_nibble_high[(coins >> 4) & 15u];
}

/// One coordinate of a hemisphere's normal, from one byte.
[[nodiscard]] inline std::int32_t hemisphere_coordinate(PublicCoins& coins) noexcept {
  return nibble_pair(coins.byte());
}

/// One coordinate of a sphere codeword, from two bytes: |u| <= 212. Two bytes, because the k closest of many codewords live in
/// the tails, where one byte would bend directions by up to 1.5 degrees.
[[nodiscard]] inline std::int32_t sphere_coordinate(PublicCoins& coins) noexcept {
  const std::int32_t first = hemisphere_coordinate(coins);
  return first + hemisphere_coordinate(coins);
}

/// 2^24 / |u| from the squared length of a codeword (below 2^24), rounded down; 0 for the zero codeword.
[[nodiscard]] inline std::uint32_t inverse_length_q24(std::uint32_t square) noexcept {
  return square == 0 ? 0 : divide_floor_32(std::uint32_t{1} << 28, root_floor(square << 8));
}

}  // namespace sotto

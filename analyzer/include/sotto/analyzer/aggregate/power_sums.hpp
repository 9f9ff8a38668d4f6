// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Sums of integer reports and of their squares, from which means and standard errors of additive-noise randomizers
/// (laplace, gaussian) follow.

#include <cstdint>
#include <span>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/aggregate/sums.hpp"

namespace sotto::analyzer {

/// For each coordinate three sums: of z, and of z^2 split into a low and a high part of 23 bits, so that |z| <= 2^23
/// and 2^39 reports stay within int64. The layout is all z, then all low parts, then all high parts, so that adding a
/// report is three contiguous loops.
inline constexpr std::size_t k_power_sums = 3;
inline constexpr int k_square_split_bits = 23;

[[nodiscard]] constexpr SumsShape power_sums_shape(Stem stem, const Digest& spec, std::size_t coordinates) noexcept {
  return {
      .stem = stem, .spec = spec, .count = k_power_sums * coordinates, .term_max = k_term_max, .is_histogram = false};
}

/// Adds one report, |z_j| <= 2^23.
inline void add_powers(std::span<std::int64_t> sums, std::span<const std::int32_t> report) noexcept {
  const std::size_t n = report.size();
  std::int64_t* const low = sums.data() + n;
  std::int64_t* const high = low + n;
  constexpr std::int64_t k_low = (std::int64_t{1} << k_square_split_bits) - 1;
  for (std::size_t j = 0; j < n; ++j) {
    const std::int64_t z = report[j], square = z * z;
    sums[j] += z;
    low[j] += square & k_low;
    high[j] += square >> k_square_split_bits;
  }
}

/// The mean of one coordinate, with its standard error from the spread of the reports and its noise error from the
/// variance of the noise.
[[nodiscard]] ScalarMean mean_from_powers(const Sums& sums, std::size_t coordinate, double noise_variance);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/power_sums.hpp"

#include <cmath>

namespace sotto::analyzer {

ScalarMean mean_from_powers(const Sums& sums, std::size_t coordinate, double noise_variance) {
  const auto values = sums.values();
  const std::size_t n = values.size() / k_power_sums;
  const auto low = static_cast<double>(values[n + coordinate]);
  const auto high = static_cast<double>(values[2 * n + coordinate]);
  const MeanEstimate m =
      mean_of(static_cast<double>(values[coordinate]), std::ldexp(high, k_square_split_bits) + low, sums.used());
  ScalarMean out;
  out.mean = m.mean;
  out.standard_error = m.standard_error;
  out.noise_error = std::sqrt(noise_variance / static_cast<double>(sums.used()));
  out.used = sums.used();
  out.refused = sums.refused();
  return out;
}

}  // namespace sotto::analyzer

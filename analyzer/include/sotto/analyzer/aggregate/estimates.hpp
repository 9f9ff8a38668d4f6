// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// How many of the devices that reported hold each category. Unbiased, so it may be negative or exceed `used`.
struct CategoryCounts {
  std::vector<double> count;
  std::vector<double> standard_error;  ///< privacy noise, given the true counts
  std::uint64_t used = 0, refused = 0;
};

/// The mean answer. With no report the mean is 0 and the errors are infinite.
struct ScalarMean {
  double mean = 0;
  double standard_error = 0;  ///< from the reports' own spread: privacy noise and the spread of the answers
  double noise_error = 0;     ///< from the law of the noise alone; where it depends on the answer, at the worst one
  double bias_bound = 0;      ///< the mean may be off by this much for ever; 0 for an unbiased decoder
  std::uint64_t used = 0, refused = 0;
};

/// Mean of n terms from their sum and sum of squares: the mean, and its standard error from the spread (infinite below
/// two).
struct MeanEstimate {
  double mean = 0, standard_error = 0;
};
[[nodiscard]] MeanEstimate mean_of(double sum, double sum_of_squares, std::uint64_t n) noexcept;

}  // namespace sotto::analyzer

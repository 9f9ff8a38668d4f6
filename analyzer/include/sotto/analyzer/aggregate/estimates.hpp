// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Results that the estimators of several randomizers share: category counts and scalar means, each with its standard
/// error.

#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// The estimated number of reporting devices that hold each category. Unbiased, so a count may be negative or exceed
/// `used`.
struct CategoryCounts {
  std::vector<double> count;
  std::vector<double> standard_error;  ///< from the privacy noise alone, given the true counts
  std::uint64_t used = 0, refused = 0;
};

/// The estimated mean of the devices' answers. Without reports the mean is 0 and the errors are infinite.
struct ScalarMean {
  double mean = 0;
  double standard_error = 0;  ///< from the reports' own spread: privacy noise and the spread of the answers
  double noise_error = 0;     ///< from the distribution of the noise alone, at the worst-case answer
  double bias_bound = 0;      ///< bias that more reports do not reduce; 0 for an unbiased decoder
  std::uint64_t used = 0, refused = 0;
};

/// The mean of n terms from their sum and sum of squares, and its standard error from their spread (infinite for
/// n < 2).
struct MeanEstimate {
  double mean = 0, standard_error = 0;
};
[[nodiscard]] MeanEstimate mean_of(double sum, double sum_of_squares, std::uint64_t n) noexcept;

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/estimates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sotto::analyzer {

MeanEstimate mean_of(double sum, double sum_of_squares, std::uint64_t n) noexcept {
  constexpr double k_no_bound = std::numeric_limits<double>::infinity();
  if (n == 0) return {0, k_no_bound};
  const auto size = static_cast<double>(n);
  const double mean = sum / size;
  if (n == 1) return {mean, k_no_bound};
  const double spread = std::max(0.0, sum_of_squares - sum * mean) / (size - 1);
  return {mean, std::sqrt(spread / size)};
}

}  // namespace sotto::analyzer

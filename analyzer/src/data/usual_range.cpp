// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/usual_range.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sotto::analyzer {
namespace {

double quantile(std::vector<double>& values, double share) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

UsualRange usual_range(std::vector<double> values) {
  constexpr double k_between_deciles = 2.5631;  // distance of these deciles of a normal distribution, in deviations
  constexpr double k_around_median = 1.4826;    // deviation over median absolute deviation, normal distribution
  if (values.empty()) return {};
  const double median = quantile(values, 0.5);
  double deviation = (quantile(values, 0.9) - quantile(values, 0.1)) / k_between_deciles;
  if (!(deviation > 0)) {
    std::erase(values, median);
    if (values.empty()) return {};
    for (double& v : values) v = std::abs(v - median);
    deviation = k_around_median * quantile(values, 0.5);
  }
  return {median - k_usual_deviations * deviation, median + k_usual_deviations * deviation};
}

}  // namespace sotto::analyzer

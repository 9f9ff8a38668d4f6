// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/selected_interval.hpp"

#include <cmath>

#include "sotto/analyzer/math/normal.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_one_side = 0.025, k_far = 30;
constexpr int k_bisections = 60;

/// P(X > x | |X| > cut) for X normal around `mean`, all in standard errors. Computed from upper tails, which keeps
/// precision where they are small.
double beyond(double x, double cut, double mean) {
  return normal_below(mean - x) / (normal_below(-cut - mean) + normal_below(mean - cut));
}

/// The mean at which this probability equals `wanted`; it grows with the mean.
double mean_with(double x, double cut, double wanted) {
  double low = -x - k_far, high = x + k_far;
  for (int i = 0; i < k_bisections; ++i) {
    const double middle = (low + high) / 2;
    (beyond(x, cut, middle) < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace

SelectedInterval selected_interval(double x, double standard_error, double cut) {
  const double z = std::abs(x) / standard_error, least = cut / standard_error;
  const double near = standard_error * mean_with(z, least, k_one_side);
  const double far = standard_error * mean_with(z, least, 1 - k_one_side);
  return x < 0 ? SelectedInterval{-far, -near} : SelectedInterval{near, far};
}

}  // namespace sotto::analyzer

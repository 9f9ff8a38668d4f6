// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "clipped_residual.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sotto/analyzer/math/normal.hpp"

namespace sotto::analyzer {
namespace {

// A single coefficient is assumed to be at most this share of the residual's deviation, so that the rest is never zero.
constexpr double k_clipped_max = 0.97, k_rest_min = 0.01;
constexpr int k_halvings = 40, k_points = 64;
// A pole with a larger standard error is ignored; the ratio stays within a factor of 3 of the assumed one.
constexpr double k_pole_error_max = 0.1, k_ratio_range = 3;

/// Where an increasing function reaches a value, by bisection.
template <class Function>
double crossing(const Function& function, double value, double low, double high) {
  for (int i = 0; i < k_halvings; ++i) {
    const double middle = (low + high) / 2;
    (function(middle) < value ? low : high) = middle;
  }
  return (low + high) / 2;
}

double density(double z) { return std::exp(-0.5 * z * z) / std::sqrt(2 * std::numbers::pi); }

}  // namespace

double clipping_gain(double deviation, double bound) { return 2 * normal_below(bound / deviation) - 1; }

double clipped_mean(double delta, double spread, double bound) {
  const double low = (-bound - delta) / spread, high = (bound - delta) / spread;
  const double inside = delta * (normal_below(high) - normal_below(low)) + spread * (density(low) - density(high));
  return inside / bound + (1 - normal_below(high)) - normal_below(low);
}

double unclipped(double mean, double deviation, double bound) {
  const auto mean_at = [&](double delta) {
    const double rest = std::max(deviation * deviation - delta * delta, std::pow(k_rest_min * deviation, 2));
    return clipped_mean(delta, std::sqrt(rest), bound);
  };
  const double wanted = std::abs(mean);
  return std::copysign(crossing(mean_at, wanted, 0, k_clipped_max * deviation), mean);
}

double pole_mean(double ratio) {
  // With z = ratio sin(angle) the square root becomes a cosine, and the sum over equal angles is nearly exact.
  double sum = 0;
  for (int i = 0; i < k_points; ++i) {
    const double angle = std::numbers::pi * ((i + 0.5) / k_points - 0.5);
    sum += std::pow(std::cos(angle), 2) * density(ratio * std::sin(angle));
  }
  return sum * ratio * std::numbers::pi / k_points;
}

double bound_ratio(double pole, double pole_error, double assumed) {
  if (!(pole_error <= k_pole_error_max)) return assumed;
  return crossing(pole_mean, pole, assumed / k_ratio_range, assumed * k_ratio_range);
}

double class_attenuation(double length) {
  constexpr double k_reach = 6;
  double sum = 0, weights = 0;
  for (int i = 0; i < k_points; ++i) {
    const double z = k_reach * (2 * (i + 0.5) / k_points - 1), p = 1 / (1 + std::exp(-length * z));
    sum += density(z) * 2 * p * (1 - p);
    weights += density(z);
  }
  return sum / weights;
}

double length_of_class(double product, double most) {
  return crossing([](double length) { return length * class_attenuation(length); }, product, 0, most);
}

}  // namespace sotto::analyzer

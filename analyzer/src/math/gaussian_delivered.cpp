// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/gaussian_delivered.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {

double zcdp_delta(double rho, double epsilon) {
  // log delta is convex in log(alpha - 1), hence a golden-section search.
  const auto log_delta = [=](double t) {
    const double over = std::exp(t), alpha = 1 + over;
    return over * (alpha * rho - epsilon) - t + alpha * std::log1p(-1 / alpha);
  };
  constexpr double k_golden = 0.6180339887498949;
  double low = -12, high = 12;
  for (int i = 0; i < 200; ++i) {
    const double a = high - k_golden * (high - low), b = low + k_golden * (high - low);
    (log_delta(a) < log_delta(b) ? high : low) = log_delta(a) < log_delta(b) ? b : a;
  }
  return std::exp(log_delta((low + high) / 2));
}

EpsilonNano delivered_epsilon(const GaussianSpec& spec) {
  if (spec.dimension == 1 || spec.variance == 0) return spec.epsilon;
  const double sensitivity = 2.0 * spec.radius, rho = sensitivity * sensitivity / (2.0 * spec.variance);
  const double delta = std::ldexp(static_cast<double>(spec.delta) - spec.dimension, -64);
  if (delta <= 0) return spec.epsilon;
  // Bisection over integer nano-nats, rounded up; the result is at most the declared epsilon, which the device checks
  // against a table.
  EpsilonNano low = 0, high = spec.epsilon;
  while (low < high) {
    const EpsilonNano middle = low + (high - low) / 2;
    if (zcdp_delta(rho, static_cast<double>(middle) / static_cast<double>(k_epsilon_one)) <= delta)
      high = middle;
    else
      low = middle + 1;
  }
  return high;
}

double chance_above_epsilon(const GaussianSpec& spec) {
  const double epsilon = static_cast<double>(spec.epsilon) / static_cast<double>(k_epsilon_one);
  const double shift = 2.0 * spec.radius, variance = spec.variance;
  if (spec.dimension > 1) {
    // A discrete Gaussian is sub-Gaussian with its own variance, whatever the direction of the shift.
    const double rho = shift * shift / (2 * variance), gap = epsilon - rho;
    return gap <= 0 ? 1 : std::exp(-gap * gap / (4 * rho));
  }
  // The privacy loss of noise z is (2 z shift + shift^2) / (2 variance): it exceeds epsilon from `first` on. Beyond
  // `reach` the probabilities underflow.
  const double first = std::floor(epsilon * variance / shift - shift / 2) + 1,
               reach = std::ceil(38 * std::sqrt(variance));
  double above = 0, tail = 0;
  for (double z = reach; z >= 1; --z) {  // smallest first
    const double mass = std::exp(-z * z / (2 * variance));
    above += mass;
    tail += (z >= first ? mass : 0) + (-z >= first ? mass : 0);
  }
  if (first <= 0) tail += 1;
  return tail / (1 + 2 * above);
}

}  // namespace sotto::analyzer

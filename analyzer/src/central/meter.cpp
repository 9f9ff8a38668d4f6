// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/meter.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "sotto/analyzer/accountant/calibrate.hpp"
#include "sotto/analyzer/central/exact_draws.hpp"

namespace sotto::analyzer::central {

void PrivacyMeter::add_gaussian(double z, double times, double draws, unsigned log2_sigma) {
  is_used_ = true;
  renyi_ += times * gaussian_curve(z);
  precision_ += times / (z * z);
  rounding_ += times * draws * rounding_distance(log2_sigma);
  distance_ += times * draws * GridGaussian::k_cut;
}

void PrivacyMeter::add(const RenyiCurve& cost, double draws) {
  is_used_ = true;
  is_gaussian_ = false;
  renyi_ += cost;
  distance_ += draws * GridGaussian::k_cut;
}

void PrivacyMeter::add_separate(double epsilon, double delta) {
  separate_epsilon_ += epsilon;
  separate_delta_ += delta;
}

// A mechanism within total variation t of an (epsilon, delta)-private one is
// (epsilon, delta + (1 + e^epsilon) t)-private. The epsilon in this formula is the result itself, found by a few
// fixed-point iterations, as t is tiny.
double PrivacyMeter::epsilon(double delta) const {
  const auto settle = [delta](double distance, auto of_delta) {
    double epsilon = of_delta(delta);
    for (int i = 0; i < 4; ++i) {
      const double left = delta - (1 + std::exp(epsilon)) * distance;
      epsilon = left > 0 ? std::max(epsilon, of_delta(left)) : std::numeric_limits<double>::infinity();
    }
    return epsilon;
  };
  const double by_orders = settle(distance_, [this](double at) { return epsilon_without_distance(at); });
  if (!is_used_ || !is_gaussian_ || separate_epsilon_ > 0) return by_orders;
  const double z = 1 / std::sqrt(precision_);
  return std::min(by_orders, settle(rounding_ + distance_, [z](double at) { return gaussian_epsilon(z, at); }));
}

double PrivacyMeter::epsilon_without_distance(double delta) const {
  const double left = delta - separate_delta_;
  if (left < 0) return std::numeric_limits<double>::infinity();
  if (!is_used_) return separate_epsilon_;
  return separate_epsilon_ + (left > 0 ? epsilon_of(renyi_, left).epsilon : std::numeric_limits<double>::infinity());
}

}  // namespace sotto::analyzer::central

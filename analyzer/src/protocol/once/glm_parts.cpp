// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "glm_parts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sotto/analyzer/solve/chebyshev.hpp"

namespace sotto::analyzer {

GlmLoss glm_loss(const RegressionTerms& terms) {
  const double r = terms.norm * terms.once->row_norm;
  if (terms.link != TargetLink::logistic) {
    // Squares: the slope is t itself, with no error at any degree.
    return {{0, r}, r, 1, 0};
  }
  // h(u) = u/2 + log(1 + e^-u) for y = +-1, whose slope in u = r t is tanh(r t/2)/2 beside the label's half.
  const auto slope = [r](double t) { return 0.5 * std::tanh(r * t / 2); };
  GlmLoss loss{chebyshev_to_powers(chebyshev_coefficients(slope, terms.once->degree)), r, 0.5, 0};
  loss.error = polynomial_error(slope, loss.powers);
  return loss;
}

// One copy carries the gradient's direction; its noise multiplies that of the label and of each product of k copies
// with w,
// w| <= 1.
double gradient_deviation(const GlmLoss& loss, double noise, std::uint32_t features) {
  double factor = loss.label * loss.label * (noise * noise + 1);
  for (std::size_t k = 1; k < loss.powers.size(); ++k)
    factor += loss.powers[k] * loss.powers[k] * std::pow(noise * noise + 1.0 / features, static_cast<double>(k));
  return loss.scale * std::sqrt((features * noise * noise + 1) * factor);
}

// u is the cosine of the angle to the coefficients, whose density is sin^(d-2).
double mean_response(const RegressionTerms& terms, double length) {
  constexpr int k_points = 2000;
  const double row = terms.once->row_norm, bend = static_cast<double>(terms.features) - 2;
  double sum = 0, mass = 0;
  for (int i = 0; i < k_points; ++i) {
    const double angle = std::numbers::pi * (i + 0.5) / k_points, u = std::cos(angle);
    const double weight = bend == 0 ? 1 : std::pow(std::sin(angle), bend), t = length * row * u;
    sum += weight * u * (terms.link == TargetLink::logistic ? std::tanh(t / 2) : t);
    mass += weight;
  }
  return terms.features == 1 ? row * (terms.link == TargetLink::logistic ? std::tanh(length * row / 2) : length * row)
                             : row * sum / mass;
}

}  // namespace sotto::analyzer

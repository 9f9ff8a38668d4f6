// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parts of the generalized linear model that is estimated from one report of each device: the polynomial approximation
/// of the loss, and its noise.

#include <cstdint>
#include <vector>

#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// The derivative of a smooth loss as a polynomial. With w = theta/norm in the unit ball, x divided by row_norm and t =
/// <x, w> in [-1, 1], the gradient of a record is scale * (slope(t) - y/2) x for the logistic loss and scale *
/// (slope(t) - y) x for squares.
struct GlmLoss {
  std::vector<double> powers;  ///< of slope(t)
  double scale = 1;            ///< r: norm * row_norm
  double label = 0.5;          ///< factor of the target
  double error = 0;            ///< largest error of the polynomial
};
[[nodiscard]] GlmLoss glm_loss(const RegressionTerms& terms);

/// Standard deviation of one record's gradient, over all coordinates, if each copy and the target have noise of this
/// deviation.
[[nodiscard]] double gradient_deviation(const GlmLoss& loss, double noise, std::uint32_t features);

/// E y x| for features of norm row_norm with uniform direction and coefficients of this norm.
[[nodiscard]] double mean_response(const RegressionTerms& terms, double length);

}  // namespace sotto::analyzer

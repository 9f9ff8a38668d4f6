// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// The slope of a smooth loss as a polynomial. With w = theta/norm in the unit ball, x over row_norm and t = <x, w> in [-1, 1] the
/// gradient of a record is scale * (slope(t) - y/2) x for the logistic loss, scale * (slope(t) - y) x for squares.
struct GlmLoss {
  std::vector<double> powers;  ///< of slope(t)
  double scale = 1;            ///< r: norm * row_norm
  double label = 0.5;          ///< what the target is multiplied by
  double error = 0;            ///< of the polynomial, at most
};
[[nodiscard]] GlmLoss glm_loss(const RegressionTerms& terms);

/// Standard deviation of one record's gradient, all coordinates together, when every copy and the target have noise of this deviation.
[[nodiscard]] double gradient_deviation(const GlmLoss& loss, double noise, std::uint32_t features);

/// |E y x| for features of length row_norm that point anywhere and coefficients of this length.
[[nodiscard]] double mean_response(const RegressionTerms& terms, double length);

}  // namespace sotto::analyzer

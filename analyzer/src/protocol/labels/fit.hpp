// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "plan.hpp"
#include "rows.hpp"

namespace sotto::analyzer {

/// A model fitted to labels, and what is known about it.
struct LabelFit {
  LabelModel model;
  Eigen::VectorXd variance;    ///< of its values
  std::vector<double> weight;  ///< label-iht: probability that a variable of the model matters; label-lasso: 1
  double matters = 0;          ///< sum of the probabilities over all features
  double noise = 0;            ///< mean square of what the fit leaves of a label
  std::uint32_t passes = 0;
};

/// Iterative hard thresholding: theta <- H_s(theta + (1/L) sum d r x / n) with L the largest eigenvalue of the design on the support,
/// pulled into the ball of the study's norm; Newton's step where the support stands still. First along the line, then along the response
/// of the clip. In the end the posterior means of the study's prior.
[[nodiscard]] LabelFit fit_iht(const LabelRows& rows, LabelPart part, const RegressionTerms& terms,
                               const LabelPlan& plan);

/// |z - line|^2 / 2n + lambda g |theta|_1, lambda = sqrt(E z^2) / g sqrt(2 ln p / n) from the study's numbers: never larger than the truth
/// by more than noise, and zero where nothing stands out.
[[nodiscard]] LabelFit fit_lasso(const LabelRows& rows, LabelPart part, const LabelPlan& plan);

/// Least squares along the line on the support of `at`, without shrinkage or ball. `variance` is robust: the labels' own spread.
/// False: the rows do not determine it.
[[nodiscard]] bool line_fit(const LabelRows& rows, LabelPart part, const ClippedResponse::Line& line, LabelFit& at);

}  // namespace sotto::analyzer

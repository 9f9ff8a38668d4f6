// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Fits a sparse model to randomized labels: by iterative hard thresholding, or by Lasso.

#include "plan.hpp"
#include "rows.hpp"

namespace sotto::analyzer {

/// A model fitted to labels, with its uncertainty.
struct LabelFit {
  LabelModel model;
  Eigen::VectorXd variance;    ///< of its values
  std::vector<double> weight;  ///< label-iht: probability that a variable of the model matters; label-lasso: 1
  double matters = 0;          ///< sum of the probabilities over all features
  double noise = 0;            ///< mean square of the residuals
  std::uint32_t passes = 0;
};

/// Iterative hard thresholding: theta <- H_s(theta + (1/L) sum d r x / n), with L the largest eigenvalue of the design
/// on the support, projected to the ball of the study's norm; Newton steps once the support no longer changes. It fits
/// the linear approximation first, then the response of the clip, and finally takes posterior means under the study's
/// prior.
[[nodiscard]] LabelFit fit_iht(const LabelRows& rows, LabelPart part, const RegressionTerms& terms,
                               const LabelPlan& plan);

/// Minimizes |z - line|^2 / 2n + lambda g |theta|_1, with lambda = sqrt(E z^2) / g sqrt(2 ln p / n) from the study's
/// numbers: coefficients exceed the truth by no more than noise, and are zero if nothing stands out.
[[nodiscard]] LabelFit fit_lasso(const LabelRows& rows, LabelPart part, const LabelPlan& plan);

/// Least squares with the linear approximation on the support of `at`, without shrinkage or projection. `variance` is
/// robust: it uses the residuals of the labels. Returns false if the rows do not determine the solution.
[[nodiscard]] bool line_fit(const LabelRows& rows, LabelPart part, const ClippedResponse::Line& line, LabelFit& at);

}  // namespace sotto::analyzer

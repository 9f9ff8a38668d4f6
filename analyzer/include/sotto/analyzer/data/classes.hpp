// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Classification errors of models and of a non-private logistic regression, for studies whose target is one of two
/// classes.

#include <Eigen/Core>

#include "sotto/analyzer/data/standardise.hpp"

namespace sotto::analyzer {

/// Misclassification rates for two classes: target above 0, and the rest.
struct ClassErrors {
  double model = 0;   ///< share of rows that the model misclassifies
  double limit = 0;   ///< the same for non-private logistic regression
  double chance = 0;  ///< the same for always predicting the larger class
};

/// The share of misclassified rows when the rows with the largest scores, a fraction `share` of them, are assigned to
/// the first class. A model without an intercept needs the class shares, which a study assumes to be public.
[[nodiscard]] double class_error(const Eigen::VectorXd& scores, const Eigen::VectorXd& target, double share);

/// Non-private logistic regression with an intercept (last coefficient) and a small ridge penalty, by Newton's method.
[[nodiscard]] Eigen::VectorXd fit_logistic(const StandardRows& rows, double ridge = 1e-3);
/// Its misclassification rate on other rows, with its own intercept as threshold.
[[nodiscard]] double logistic_error(const Eigen::VectorXd& fit, const StandardRows& rows);

}  // namespace sotto::analyzer

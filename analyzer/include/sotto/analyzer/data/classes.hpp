// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

#include "sotto/analyzer/data/standardise.hpp"

namespace sotto::analyzer {

/// How well rows are told apart into two classes: a target above 0, and the others.
struct ClassErrors {
  double model = 0;   ///< share of rows that the model puts into the wrong class
  double limit = 0;   ///< the same of what can be learned without privacy
  double chance = 0;  ///< of always naming the larger class
};

/// Share of rows in the wrong class where those with the largest scores, as many as `share` says, are put into the first. A model without an
/// intercept needs the classes' shares, which a study assumes to be public.
[[nodiscard]] double class_error(const Eigen::VectorXd& scores, const Eigen::VectorXd& target, double share);

/// Logistic regression with an intercept (last) and a little ridge, by Newton's steps: what can be learned without privacy.
[[nodiscard]] Eigen::VectorXd fit_logistic(const StandardRows& rows, double ridge = 1e-3);
/// Its error on other rows, its own intercept deciding.
[[nodiscard]] double logistic_error(const Eigen::VectorXd& fit, const StandardRows& rows);

}  // namespace sotto::analyzer

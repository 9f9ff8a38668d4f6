// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

#include "sotto/analyzer/central/problem.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::central {

/// The minimiser of mean loss + ridge/2 |w|^2 + <tilt, w> over the rows of a problem with few columns, where the mean
/// divides by the public `count`. The loss is logistic, or tau^2 (sqrt(1 + ((m - y)/tau)^2) - 1) with m the margin, y
/// the target and tau the target's scale: smooth, with no derivative above tau. Rows are shortened to the row bound.
/// Error     the norm of the gradient at the result is at most k_gradient_left.
/// Refuses   fit.no_minimum: this was not reached (rows with values far out of range).
inline constexpr double k_gradient_left = 1e-10;
[[nodiscard]] Result<Eigen::VectorXd> minimise(const Problem& problem, double count, double ridge,
                                               const Eigen::VectorXd& tilt);

}  // namespace sotto::analyzer::central

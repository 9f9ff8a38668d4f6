// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

#include "sotto/analyzer/central/problem.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::central {

/// The minimiser of mean loss + ridge/2 |w|^2 + <tilt, w> over the rows of a problem with few columns, divided by the
/// public `count`. The loss is logistic, or tau^2 (sqrt(1 + ((m - y)/tau)^2) - 1) with tau the target's scale: smooth,
/// and no residual above tau. A row that is longer than the row bound is scaled to that bound.
/// Error     the iteration stops when the norm of the gradient is at most k_gradient_left * L, with L = row bound *
///           largest residual the bound on the gradient of one row. By strong convexity the result is then within
///           k_gradient_left * L / ridge of the minimiser. A caller that releases the result adds twice that to its
///           sensitivity (perturbed.cpp), so that no proof treats the result as the exact minimiser. It is assumed that
///           doubles compute the gradient more precisely than the tolerance: the gradient is a mean of terms of at most
///           L, so its rounding error is about 2^-53 L, a millionth of the tolerance. Because the tolerance is in units
///           of L, this holds in any unit of the target and of the features.
/// Refuses   fit.no_minimum: this tolerance was not reached, because values of the rows are extremely large.
inline constexpr double k_gradient_left = 1e-10;
[[nodiscard]] Result<Eigen::VectorXd> minimise(const Problem& problem, double count, double ridge,
                                               const Eigen::VectorXd& tilt);

}  // namespace sotto::analyzer::central

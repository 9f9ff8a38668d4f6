// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

#include "sotto/analyzer/central/problem.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::central {

/// The minimiser of mean loss + ridge/2 |w|^2 + <tilt, w> over the rows of a problem with few columns, divided by the
/// public `count`. The loss is logistic, or tau^2 (sqrt(1 + ((m - y)/tau)^2) - 1) with tau the target's scale: smooth,
/// and no residual above tau. Every row counts as if it were no longer than the row bound.
/// Error     the gradient is no longer than k_gradient_left L where it stops, L = row bound * largest residual being
///           that of one row: with strong convexity the result is within k_gradient_left L / ridge of the minimiser.
///           Whoever releases it adds twice that to the distance of two neighbours (perturbed.cpp), so that no proof
///           takes the result for the minimiser itself. Assumed is that doubles compute the gradient better than that.
///           It is a mean of terms of at most L, so that its rounding is about 2^-53 L, a millionth of the tolerance.
///           As the tolerance is in units of L, this is so in any unit of the target and of the features.
/// Refuses   fit.no_minimum: that was not reached (rows with values beyond all measure).
inline constexpr double k_gradient_left = 1e-10;
[[nodiscard]] Result<Eigen::VectorXd> minimise(const Problem& problem, double count, double ridge,
                                               const Eigen::VectorXd& tilt);

}  // namespace sotto::analyzer::central

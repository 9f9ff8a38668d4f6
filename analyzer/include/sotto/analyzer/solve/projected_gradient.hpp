// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Accelerated projected gradient descent for smooth convex functions over convex sets. The protocol
/// projected-regression fits its coefficients by it.

#include <Eigen/Core>
#include <cstdint>
#include <functional>

namespace sotto::analyzer {

/// Maps a point to the gradient there, or to the nearest point of a convex set.
using VectorMap = std::function<Eigen::VectorXd(const Eigen::VectorXd&)>;

struct ProjectedGradientOptions {
  double smoothness = 1;              ///< L: the gradient changes by at most L |x - x'|
  double tolerance = 1e-10;           ///< stops when a step is at most this long, relative to 1 + |x|
  std::uint32_t iterations = 100000;  ///< limit of steps
};

struct ProjectedGradientResult {
  Eigen::VectorXd x;
  std::uint32_t iterations = 0;
  bool converged = false;
};

/// Minimises a smooth convex function over a convex set from `start`: accelerated steps (Nesterov's, as in FISTA),
/// restarted whenever the momentum points uphill, which gives linear convergence where the function is strongly convex.
/// Error     f(x) - min f <= 2 L |x0 - x*|^2 / (k + 1)^2 after k steps without a restart, with x0 the start and x* a
///           minimiser.
[[nodiscard]] ProjectedGradientResult projected_gradient(const VectorMap& gradient, const VectorMap& project,
                                                         const Eigen::VectorXd& start,
                                                         const ProjectedGradientOptions& options);

/// Minimises x'Qx/2 - b'x over a set, Q symmetric and positive semidefinite; L is the largest eigenvalue of Q, found by
/// power iteration.
[[nodiscard]] ProjectedGradientResult minimise_quadratic(const Eigen::MatrixXd& q, const Eigen::VectorXd& b,
                                                         const VectorMap& project);

}  // namespace sotto::analyzer

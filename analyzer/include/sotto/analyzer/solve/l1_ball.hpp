// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Euclidean projections onto the simplex and onto l1 and l2 balls, the constraint sets of the projected gradient
/// methods.

#include <Eigen/Core>

namespace sotto::analyzer {

/// The projection onto { x >= 0, sum x = total }, total > 0. Sorts once: O(n log n), exact up to rounding.
[[nodiscard]] Eigen::VectorXd project_simplex(const Eigen::Ref<const Eigen::VectorXd>& v, double total = 1);

/// The projection onto { |x|_1 <= radius }, radius >= 0: v itself if it lies inside, otherwise the projection of its
/// absolute values onto the simplex, with the signs of v.
[[nodiscard]] Eigen::VectorXd project_l1_ball(const Eigen::Ref<const Eigen::VectorXd>& v, double radius = 1);

/// The projection onto { |x|_2 <= radius }.
[[nodiscard]] Eigen::VectorXd project_l2_ball(const Eigen::Ref<const Eigen::VectorXd>& v, double radius = 1);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

namespace sotto::analyzer {

/// The nearest point of { x >= 0, sum x = total }, total > 0. Sorts once: O(n log n), exact up to rounding.
[[nodiscard]] Eigen::VectorXd project_simplex(const Eigen::Ref<const Eigen::VectorXd>& v, double total = 1);

/// The nearest point of { |x|_1 <= radius }, radius >= 0: v itself inside; outside the simplex of the absolute values,
/// with v's signs.
[[nodiscard]] Eigen::VectorXd project_l1_ball(const Eigen::Ref<const Eigen::VectorXd>& v, double radius = 1);

/// The nearest point of { |x|_2 <= radius }.
[[nodiscard]] Eigen::VectorXd project_l2_ball(const Eigen::Ref<const Eigen::VectorXd>& v, double radius = 1);

}  // namespace sotto::analyzer

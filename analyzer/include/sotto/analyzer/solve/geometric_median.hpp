// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

namespace sotto::analyzer {

/// The point with the least sum of distances to the columns: a mean that half of the columns cannot move far.
/// Weiszfeld's steps with the correction of Vardi and Zhang at a column, until one is shorter than 1e-12 of the
/// columns' spread. Of group means it is the geometric median of means.
[[nodiscard]] Eigen::VectorXd geometric_median(const Eigen::Ref<const Eigen::MatrixXd>& columns);

}  // namespace sotto::analyzer

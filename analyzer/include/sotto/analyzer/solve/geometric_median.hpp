// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The geometric median, a robust mean. Of group means it is the geometric median of means, which the protocol
/// sparse-mean-once uses against outliers.

#include <Eigen/Core>

namespace sotto::analyzer {

/// The point with the least sum of Euclidean distances to the columns; fewer than half of the columns cannot move it
/// arbitrarily far. Weiszfeld's iteration with the correction of Vardi and Zhang at a column, until a step is shorter
/// than 1e-12 of the columns' spread.
[[nodiscard]] Eigen::VectorXd geometric_median(const Eigen::Ref<const Eigen::MatrixXd>& columns);

}  // namespace sotto::analyzer

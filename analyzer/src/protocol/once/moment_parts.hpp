// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>

#include "sotto/analyzer/aggregate/gaussian_moments.hpp"
#include "sotto/analyzer/aggregate/vector_sums.hpp"

namespace sotto::analyzer {

/// Second moments of features and target, E zz' and E zy, as reports came to them, without the noise that was added.
struct MomentEstimate {
  Eigen::MatrixXd q;
  Eigen::VectorXd b;
  double q_error = 0, b_error = 0;  ///< standard error of one number
};

/// From one direction of packed products: radius times its mean.
[[nodiscard]] MomentEstimate packed_moments(const VectorMean& mean, Eigen::Index features, double radius);
/// From vectors whose last number is the target, in the units of these steps.
[[nodiscard]] MomentEstimate sketched_moments(const GaussianMoments& sums, double feature_step, double target_step);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Second moments of features and target, estimated from the reports of a round.

#include <Eigen/Core>

#include "sotto/analyzer/aggregate/gaussian_moments.hpp"
#include "sotto/analyzer/aggregate/vector_sums.hpp"

namespace sotto::analyzer {

/// Estimates of E zz' and E zy, with the moments of the added noise subtracted.
struct MomentEstimate {
  Eigen::MatrixXd q;
  Eigen::VectorXd b;
  double q_error = 0, b_error = 0;  ///< standard error of one number
};

/// From reports of packed products in a ball: the mean times the radius.
[[nodiscard]] MomentEstimate packed_moments(const VectorMean& mean, Eigen::Index features, double radius);
/// From noisy vectors whose last number is the target, in units of these grid steps.
[[nodiscard]] MomentEstimate sketched_moments(const GaussianMoments& sums, double feature_step, double target_step);

}  // namespace sotto::analyzer

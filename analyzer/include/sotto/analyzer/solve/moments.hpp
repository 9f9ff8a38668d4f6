// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Sums of products over rows from which least-squares fits and their errors are computed. Non-private reference fits
/// use them.

#include <Eigen/Core>
#include <cstdint>
#include <span>

#include "sotto/analyzer/data/standardise.hpp"

namespace sotto::analyzer {

/// Sums over rows that every least-squares fit needs. They can be added and subtracted, as cross-validation does.
struct RowMoments {
  explicit RowMoments(Eigen::Index columns);

  /// Adds all rows of some users.
  void add(const StandardRows& from, std::span<const std::uint32_t> users);
  RowMoments& operator+=(const RowMoments& other);
  RowMoments& operator-=(const RowMoments& other);

  double rows = 0;
  Eigen::VectorXd x;  ///< sum of x
  double y = 0;
  Eigen::MatrixXd xx;  ///< sum of x x': the lower triangle
  Eigen::VectorXd xy;
  double yy = 0;
};

/// The centred moments divided by the number of rows: means and covariances.
struct Covariances {
  Eigen::VectorXd mean_x;
  double mean_y = 0;
  Eigen::MatrixXd xx;  ///< both triangles
  Eigen::VectorXd xy;
  double yy = 0;
};
[[nodiscard]] Covariances centred(RowMoments moments);

/// A linear model, which predicts intercept + <x, beta>.
struct LinearModel {
  Eigen::VectorXd beta;
  double intercept = 0;
};

/// The model with these coefficients and the intercept for which the mean residual is zero.
[[nodiscard]] LinearModel with_intercept(Eigen::VectorXd beta, const Covariances& data);
/// The mean squared error over the rows behind the moments.
[[nodiscard]] double mean_squared_error(const LinearModel& model, const RowMoments& moments);
/// The same, over rows.
[[nodiscard]] double mean_squared_error(const LinearModel& model, const StandardRows& rows);

}  // namespace sotto::analyzer

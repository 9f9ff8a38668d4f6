// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Whether the rows and columns of a cross-tab go along with each other, from shares that carry privacy noise.

#include <cstdint>

#include <Eigen/Core>

namespace sotto::analyzer {

/// The frequency oracle that the shares come from: how likely a report supports the device's own cell, and any other;
/// and whether supports of two cells exclude each other, as in direct response, or are independent, as after hashing.
struct OracleNoise {
  double own = 1, other = 0;
  bool exclusive = true;
};

/// The test of independence.
struct Association {
  double statistic = 0;  ///< chi-square with (rows - 1)(columns - 1) degrees of freedom if there is no association
  double p_value = 1;
  double cramers_v = 0;  ///< 0: independent, 1: one tells the other; what noise alone adds is taken off
};

/// Estimate  with a and b the shares of rows and columns, the contrasts (I - a 1') X (I - b 1')' of the cells' shares X,
///           weighed by their covariance as it would be without association. Estimated cells would make that
///           covariance too large, and nothing would ever be rejected.
/// Error     rejects at 5 % in 2 to 8 % of the tables without association (docs/protocols/crosstab.md).
/// `shares` are unbiased, rows by columns, and need not be positive; those of devices outside of the table are left out.
[[nodiscard]] Association association_of(const Eigen::MatrixXd& shares, const OracleNoise& noise, double reports);

}  // namespace sotto::analyzer

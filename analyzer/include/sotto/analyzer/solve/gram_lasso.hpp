// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The Lasso on second moments (Gram matrix), without access to the rows: for cross-validated pooled fits and for
/// private moments.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// The largest variance, in standard units, at which a column or target counts as constant. Such a variance consists of
/// rounding errors of either sign, and descent on these would not end.
inline constexpr double k_constant_square = 1e-12;

/// Minimises b'Gb/2 - b'm + lambda |b|_1 by coordinate descent from the current b: the Lasso with G = X'X/n and
/// m = X'y/n. As the rows are not read again, a path costs the same for a thousand rows and for a million.
class GramLasso {
 public:
  /// G and m must outlive the object. `scale` is what b'Gb is compared with: the target's variance. Columns, or a
  /// target, of variance at most k_constant_square are treated as constant and get coefficient zero.
  GramLasso(const Eigen::MatrixXd& gram, const Eigen::VectorXd& moment, double scale);

  /// The smallest lambda at which b = 0 is the solution.
  [[nodiscard]] double lambda_max() const;
  /// Descends until no coordinate in a pass over all of them lowers the objective by more than tolerance * scale.
  void minimise(double lambda, double tolerance = 1e-8);
  [[nodiscard]] const Eigen::VectorXd& beta() const { return beta_; }
  /// Coordinate updates so far.
  [[nodiscard]] std::uint64_t visits() const { return visits_; }

 private:
  double visit(Eigen::Index j, double lambda);
  void descend_on_nonzeros(double lambda, double small);

  const Eigen::MatrixXd& gram_;
  const Eigen::VectorXd& moment_;
  double scale_;
  Eigen::VectorXd beta_, gradient_;  ///< gradient_: m - G b
  std::vector<Eigen::Index> active_;
  std::uint64_t visits_ = 0;
};

/// `values` lambdas from `most` down to most * ratio, evenly spaced on a logarithmic scale.
[[nodiscard]] std::vector<double> falling_lambdas(double most, std::uint32_t values, double ratio = 1e-3);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// A column that does not vary has a square of rounding errors only, of either sign; so has such a target, and
/// descending on rounding errors would not end. In standard units.
inline constexpr double k_constant_square = 1e-12;

/// b'Gb/2 - b'm + lambda |b|_1, minimised by coordinate descent from the last b: the Lasso with G = X'X/n and m =
/// X'y/n. The rows are not looked at again, so a path costs the same for a thousand rows and for a million.
class GramLasso {
 public:
  /// G and m must outlive the object. `scale` is what b'Gb is measured against: the target's variance. Columns, or a
  /// target, of variance 1e-12 and less (in standard units) are taken for constant, and stay out.
  GramLasso(const Eigen::MatrixXd& gram, const Eigen::VectorXd& moment, double scale);

  /// The smallest lambda at which b = 0 is the answer.
  [[nodiscard]] double lambda_max() const;
  /// Done when no coordinate of a pass over all of them lowered the objective by more than tolerance * scale.
  void minimise(double lambda, double tolerance = 1e-8);
  [[nodiscard]] const Eigen::VectorXd& beta() const { return beta_; }
  /// Coordinates visited so far.
  [[nodiscard]] std::uint64_t visits() const { return visits_; }

 private:
  double visit(Eigen::Index j, double lambda);
  void rest(double lambda, double small);

  const Eigen::MatrixXd& gram_;
  const Eigen::VectorXd& moment_;
  double scale_;
  Eigen::VectorXd beta_, gradient_;  ///< gradient: m - G b
  std::vector<Eigen::Index> active_;
  std::uint64_t visits_ = 0;
};

/// `values` lambdas from `most` down to most * ratio, evenly spaced in the logarithm.
[[nodiscard]] std::vector<double> falling_lambdas(double most, std::uint32_t values, double ratio = 1e-3);

}  // namespace sotto::analyzer

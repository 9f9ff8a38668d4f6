// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The Lasso on rows by coordinate descent along a path of penalties. It is the reference in doubles for the device's
/// integer Lasso, and the solver of basis pursuit.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// Settings of the minimisation of ||y - X b||^2 / 2m + sum_j weight_j lambda |b_j| over a falling path of lambdas.
struct LassoOptions {
  double rows = 0;                   ///< m of the objective; 0: the number of rows of X
  double path_tolerance = 1e-4;      ///< at a lambda of the path: stop when no coefficient changes by more in a pass
  double tolerance = 1e-4;           ///< the same for the last lambda
  std::uint64_t visits = 100000000;  ///< limit of coordinate updates
  Eigen::VectorXd weight = {};       ///< one for each column, >= 0; empty: all 1
};

/// The solution.
struct LassoFit {
  Eigen::VectorXd beta;      ///< at the last lambda
  double lambda = 0;         ///< the last lambda
  double duality_gap = 0;    ///< upper bound on the objective's distance from its minimum
  std::uint64_t visits = 0;  ///< coordinate updates
};

/// Cyclic coordinate descent on a working set (strong rule, then a check of all columns). Where columns are strongly
/// correlated it converges slowly; every few passes it therefore takes the minimum along the direction of its recent
/// progress, stopping where a coefficient reaches zero.
class Lasso {
 public:
  /// X and y must outlive the object.
  Lasso(const Eigen::Ref<const Eigen::MatrixXd>& x, const Eigen::Ref<const Eigen::VectorXd>& y,
        LassoOptions options = {});

  /// The smallest lambda at which b = 0 is the solution. Columns of weight 0 are left out, the others are divided by
  /// their weight.
  [[nodiscard]] double lambda_max() const;
  /// Coordinate descent at one lambda from the current b.
  void minimise(double lambda, double tolerance);
  /// Descends along `values` lambdas from lambda_max, each `ratio` times the last, as far as they exceed `lambda`, and
  /// then at `lambda` itself.
  /// Estimate  the Lasso at `lambda`, up to the stated tolerance; duality_gap bounds the remaining error of the
  ///           objective.
  [[nodiscard]] LassoFit path(double lambda, std::uint32_t values = 20, double ratio = 0.8858667904100825);

  [[nodiscard]] const Eigen::VectorXd& beta() const { return beta_; }
  [[nodiscard]] std::uint64_t visits() const { return visits_; }
  [[nodiscard]] double objective(double lambda) const;
  /// The objective minus the dual objective at the scaled residual: zero at the minimum, never negative.
  [[nodiscard]] double duality_gap(double lambda) const;

 private:
  double visit(Eigen::Index j, double lambda);
  void descend_on_set(double lambda, double tolerance);
  void extrapolate(double lambda);

  Eigen::Ref<const Eigen::MatrixXd> x_;
  Eigen::Ref<const Eigen::VectorXd> y_;
  LassoOptions options_;
  double rows_;
  Eigen::VectorXd square_, beta_, residual_, gradient_, saved_;
  double last_lambda_ = 0;
  std::uint64_t visits_ = 0;
  std::vector<std::uint8_t> in_set_;
};

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// ||y - X b||^2 / 2m + sum_j weight_j lambda |b_j|, minimised by coordinate descent over a falling path of lambdas.
struct LassoOptions {
  double rows = 0;                   ///< m of the objective; 0: the rows of X
  double path_tolerance = 1e-4;      ///< a value of the path is done when no coefficient moved more in a pass
  double tolerance = 1e-4;           ///< the same for the last value
  std::uint64_t visits = 100000000;  ///< at most so many coordinate visits
  Eigen::VectorXd weight = {};       ///< per column, >= 0; empty: all 1
};

struct LassoFit {
  Eigen::VectorXd beta;      ///< at the last lambda
  double lambda = 0;         ///< the last lambda
  double duality_gap = 0;    ///< how far the objective is from its minimum at most
  std::uint64_t visits = 0;  ///< spent
};

/// Cyclic coordinate descent on a working set (strong rule, then a check of all columns). Where columns go along with
/// each other it creeps; every few passes it takes the minimum along the way that it came (stopping where a coefficient
/// reaches zero).
class Lasso {
 public:
  /// X and y must outlive the object.
  Lasso(const Eigen::Ref<const Eigen::MatrixXd>& x, const Eigen::Ref<const Eigen::VectorXd>& y,
        LassoOptions options = {});

  /// The smallest lambda at which b = 0 is the answer (of columns with a weight above 0, which are normalised by it).
  [[nodiscard]] double lambda_max() const;
  /// Coordinate descent at one lambda from the current b.
  void minimise(double lambda, double tolerance);
  /// `values` lambdas from lambda_max, each `ratio` times the last, cut off at `lambda`, then `lambda` itself.
  /// Estimate  the Lasso at `lambda`, up to the stated tolerance; duality_gap bounds what is left of the objective.
  [[nodiscard]] LassoFit path(double lambda, std::uint32_t values = 20, double ratio = 0.8858667904100825);

  [[nodiscard]] const Eigen::VectorXd& beta() const { return beta_; }
  [[nodiscard]] std::uint64_t visits() const { return visits_; }
  [[nodiscard]] double objective(double lambda) const;
  /// Objective minus the dual objective at the scaled residual: zero at the minimum, never below.
  [[nodiscard]] double duality_gap(double lambda) const;

 private:
  double visit(Eigen::Index j, double lambda);
  void rest(double lambda, double tolerance);
  void leap(double lambda);

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

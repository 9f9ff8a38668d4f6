// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/basis_pursuit.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/solve/lasso.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_lambda_ratio = 1e-6, k_step = 0.7, k_lambda_tolerance = 1e-9;
constexpr int k_halvings = 60;

/// Solves the Lasso |u - G b|^2 / 2 + lambda |b|_1 at falling lambdas, each started from the previous solution.
class Path {
 public:
  Path(const Eigen::Ref<const Eigen::MatrixXd>& g, const Eigen::Ref<const Eigen::VectorXd>& u)
      : g_(g), u_(u), lasso_(g, u, {.rows = 1}), scale_(u.norm()) {}

  [[nodiscard]] double lambda_max() const { return lasso_.lambda_max(); }
  double residual_at(double lambda) {
    lasso_.minimise(lambda, 1e-10 * scale_);
    return (u_ - g_ * lasso_.beta()).norm();
  }
  [[nodiscard]] const Lasso& lasso() const { return lasso_; }

 private:
  Eigen::Ref<const Eigen::MatrixXd> g_;
  Eigen::Ref<const Eigen::VectorXd> u_;
  Lasso lasso_;
  double scale_;
};

}  // namespace

BasisPursuit basis_pursuit(const Eigen::Ref<const Eigen::MatrixXd>& g, const Eigen::Ref<const Eigen::VectorXd>& u,
                           double eta) {
  BasisPursuit out{Eigen::VectorXd::Zero(g.cols()), 0, u.norm(), 0};
  if (out.residual <= eta || out.residual == 0) return out;
  Path path(g, u);
  double high = path.lambda_max(), low = high;
  const double least = high * k_lambda_ratio;
  if (high <= 0) return out;
  do {
    high = low;
    low = std::max(least, low * k_step);
    out.residual = path.residual_at(low);
  } while (out.residual > eta && low > least);
  if (out.residual <= eta) {
    // Bisection: the residual is within eta at `low` and not at `high`. The solution is taken at `low`.
    for (int i = 0; i < k_halvings && high - low > k_lambda_tolerance * high; ++i) {
      const double middle = (low + high) / 2;
      (path.residual_at(middle) <= eta ? low : high) = middle;
    }
    out.residual = path.residual_at(low);
  }
  out.lambda = low;
  out.x = path.lasso().beta();
  out.visits = path.lasso().visits();
  return out;
}

}  // namespace sotto::analyzer

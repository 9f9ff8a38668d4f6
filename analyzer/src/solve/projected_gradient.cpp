// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/projected_gradient.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

/// An upper bound of the largest eigenvalue: power iteration approaches it from below, a margin makes up for the
/// difference, and the largest absolute row sum bounds every eigenvalue.
double largest_eigenvalue(const Eigen::MatrixXd& q) {
  constexpr int k_steps = 60;
  constexpr double k_allowance = 1.05;
  const double bound = q.cwiseAbs().rowwise().sum().maxCoeff();
  // A start vector that is not orthogonal to the eigenvectors of common matrices.
  Eigen::VectorXd v(q.rows());
  for (Eigen::Index i = 0; i < v.size(); ++i) v[i] = 1 + 0.3 * std::sin(static_cast<double>(i + 1));
  double value = 0;
  for (int k = 0; k < k_steps && v.norm() > 0; ++k) {
    v.normalize();
    const Eigen::VectorXd next = q * v;
    value = v.dot(next);
    v = next;
  }
  return std::max(std::min(bound, k_allowance * value), 1e-300);
}

}  // namespace

ProjectedGradientResult projected_gradient(const VectorMap& gradient, const VectorMap& project,
                                           const Eigen::VectorXd& start, const ProjectedGradientOptions& options) {
  ProjectedGradientResult out{project(start), 0, false};
  Eigen::VectorXd ahead = out.x;
  double momentum = 1;
  while (out.iterations < options.iterations) {
    ++out.iterations;
    const Eigen::VectorXd next = project(ahead - gradient(ahead) / options.smoothness);
    const Eigen::VectorXd step = next - out.x;
    const bool uphill = (ahead - next).dot(step) > 0;
    // A short step without momentum means convergence.
    if (momentum == 1 && step.norm() <= options.tolerance * (1 + next.norm())) {
      out.x = next;
      out.converged = true;
      return out;
    }
    const bool rests = step.norm() <= options.tolerance * (1 + next.norm());
    out.x = next;
    if (uphill || rests) {
      momentum = 1;
      ahead = out.x;
      continue;
    }
    const double grown = (1 + std::sqrt(1 + 4 * momentum * momentum)) / 2;
    ahead = out.x + (momentum - 1) / grown * step;
    momentum = grown;
  }
  return out;
}

ProjectedGradientResult minimise_quadratic(const Eigen::MatrixXd& q, const Eigen::VectorXd& b,
                                           const VectorMap& project) {
  ProjectedGradientOptions options;
  options.smoothness = largest_eigenvalue(q);
  return projected_gradient([&](const Eigen::VectorXd& x) -> Eigen::VectorXd { return q * x - b; }, project,
                            Eigen::VectorXd::Zero(b.size()), options);
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/gram_lasso.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {

GramLasso::GramLasso(const Eigen::MatrixXd& gram, const Eigen::VectorXd& moment, double scale)
    : gram_(gram), moment_(moment), scale_(scale), beta_(Eigen::VectorXd::Zero(moment.size())), gradient_(moment) {}

double GramLasso::lambda_max() const {
  double most = 0;
  if (scale_ <= k_constant_square) return 0;
  for (Eigen::Index j = 0; j < moment_.size(); ++j) {
    if (gram_(j, j) > k_constant_square) most = std::max(most, std::abs(moment_[j]));
  }
  return most;
}

// Minimises exactly in one coordinate; returns at least twice the decrease of the objective.
double GramLasso::visit(Eigen::Index j, double lambda) {
  const double square = gram_(j, j);
  if (square <= k_constant_square) return 0;
  ++visits_;
  const double unshrunk = gradient_[j] + square * beta_[j];
  const double shrunk = std::abs(unshrunk) > lambda ? (unshrunk - std::copysign(lambda, unshrunk)) / square : 0.0;
  const double step = shrunk - beta_[j];
  if (step == 0) return 0;
  beta_[j] = shrunk;
  gradient_ -= step * gram_.col(j);
  return square * step * step;
}

void GramLasso::minimise(double lambda, double tolerance) {
  if (scale_ <= k_constant_square) return;
  const double small = tolerance * scale_;
  for (bool more = true; more;) {
    more = false;
    for (Eigen::Index j = 0; j < beta_.size(); ++j) more |= visit(j, lambda) > small;
    if (more) descend_on_nonzeros(lambda, small);
  }
}

// Descends on the nonzero coefficients alone until they converge, on their own block of the matrix: a step costs their
// number, not that of all columns.
void GramLasso::descend_on_nonzeros(double lambda, double small) {
  active_.clear();
  for (Eigen::Index j = 0; j < beta_.size(); ++j) {
    if (beta_[j] != 0) active_.push_back(j);
  }
  const auto count = static_cast<Eigen::Index>(active_.size());
  const Eigen::MatrixXd block = gram_(active_, active_);
  const Eigen::VectorXd before = beta_(active_);
  Eigen::VectorXd b = before, gradient = gradient_(active_);
  for (bool more = true; more;) {
    more = false;
    for (Eigen::Index p = 0; p < count; ++p) {
      const double square = block(p, p), unshrunk = gradient[p] + square * b[p];
      const double shrunk = std::abs(unshrunk) > lambda ? (unshrunk - std::copysign(lambda, unshrunk)) / square : 0.0;
      const double step = shrunk - b[p];
      if (step == 0) continue;
      b[p] = shrunk;
      gradient -= step * block.col(p);
      more |= square * step * step > small;
    }
    visits_ += active_.size();
  }
  for (Eigen::Index p = 0; p < count; ++p) {
    const Eigen::Index j = active_[static_cast<std::size_t>(p)];
    beta_[j] = b[p];
    if (b[p] != before[p]) gradient_ -= (b[p] - before[p]) * gram_.col(j);
  }
}

std::vector<double> falling_lambdas(double most, std::uint32_t values, double ratio) {
  std::vector<double> lambdas(values, most);
  for (std::uint32_t i = 1; i < values; ++i) lambdas[i] = most * std::pow(ratio, double{1} * i / (values - 1));
  return lambdas;
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/lasso.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace sotto::analyzer {

Lasso::Lasso(const Eigen::Ref<const Eigen::MatrixXd>& x, const Eigen::Ref<const Eigen::VectorXd>& y,
             LassoOptions options)
    : x_(x),
      y_(y),
      options_(std::move(options)),
      rows_(options_.rows > 0 ? options_.rows : static_cast<double>(x.rows())),
      square_(x.colwise().squaredNorm().transpose()),
      beta_(Eigen::VectorXd::Zero(x.cols())),
      residual_(y),
      gradient_(x.transpose() * y),
      in_set_(static_cast<std::size_t>(x.cols())) {
  if (options_.weight.size() == 0) options_.weight = Eigen::VectorXd::Ones(x.cols());
  last_lambda_ = lambda_max();
}

double Lasso::lambda_max() const {
  double most = 0;
  for (Eigen::Index j = 0; j < x_.cols(); ++j) {
    if (options_.weight[j] > 0) most = std::max(most, std::abs(x_.col(j).dot(y_)) / (rows_ * options_.weight[j]));
  }
  return most;
}

// Minimises exactly in one coordinate; returns how far it moved.
double Lasso::visit(Eigen::Index j, double lambda) {
  ++visits_;
  gradient_[j] = x_.col(j).dot(residual_);
  const double limit = lambda * rows_ * options_.weight[j];
  const double unshrunk = gradient_[j] + square_[j] * beta_[j];
  const double shrunk = std::abs(unshrunk) > limit ? unshrunk - std::copysign(limit, unshrunk) : 0.0;
  const double step = shrunk / square_[j] - beta_[j];
  if (step == 0) return 0;
  beta_[j] = shrunk == 0 ? 0.0 : beta_[j] + step;
  residual_ -= step * x_.col(j);
  return std::abs(step);
}

void Lasso::minimise(double lambda, double tolerance) {
  // The strong rule predicts which columns stay zero; a pass over the rest checks the prediction.
  const double strong = (2 * lambda - last_lambda_) * rows_;
  last_lambda_ = lambda;
  for (Eigen::Index j = 0; j < x_.cols(); ++j) {
    const bool in = beta_[j] != 0 || std::abs(gradient_[j]) >= strong * options_.weight[j];
    in_set_[static_cast<std::size_t>(j)] = square_[j] > 0 && in;
  }
  for (bool more = true; more && visits_ < options_.visits;) {
    descend_on_set(lambda, tolerance);
    more = false;
    for (Eigen::Index j = 0; j < x_.cols(); ++j) {
      auto& in = in_set_[static_cast<std::size_t>(j)];
      if (in || square_[j] == 0 || visit(j, lambda) == 0) continue;
      in = 1;
      more = true;
    }
  }
}

// Descends on the working set: a pass over all of it, then passes over its nonzeros until they converge, repeated until
// the whole set converges.
void Lasso::descend_on_set(double lambda, double tolerance) {
  constexpr int k_period = 4, k_save = 2;
  double before = 0;
  int pass = 0;
  for (bool whole = true; visits_ < options_.visits;) {
    double longest = 0;
    int visited = 0, active = 0;
    for (Eigen::Index j = 0; j < x_.cols(); ++j) {
      if (!in_set_[static_cast<std::size_t>(j)] || (!whole && beta_[j] == 0)) continue;
      longest = std::max(longest, visit(j, lambda));
      ++visited;
      active += beta_[j] != 0;
    }
    if (longest <= tolerance) {
      if (whole) return;
      whole = true;
      continue;
    }
    if (2 * active < visited) whole = false;
    ++pass;
    if (pass % k_period == k_save) saved_ = beta_;
    if (pass % k_period == 0 && longest > before / 2) extrapolate(lambda);
    before = longest;
  }
}

// Minimises along the direction in which the coefficients moved since they were saved, up to the first zero.
void Lasso::extrapolate(double lambda) {
  const Eigen::VectorXd direction = (beta_.array() != 0).select(beta_ - saved_, 0.0);
  const Eigen::VectorXd v = x_ * direction;
  double slope = v.dot(residual_);
  for (Eigen::Index j = 0; j < direction.size(); ++j) {
    if (direction[j] != 0)
      slope -= lambda * rows_ * options_.weight[j] * std::copysign(direction[j], beta_[j] * direction[j]);
  }
  if (!(slope > 0)) return;
  double length = slope / v.squaredNorm();
  Eigen::Index first = -1;  // index of the coefficient that reaches zero first
  for (Eigen::Index j = 0; j < direction.size(); ++j) {
    if (direction[j] * beta_[j] >= 0 || -beta_[j] / direction[j] >= length) continue;
    length = -beta_[j] / direction[j];
    first = j;
  }
  if (!std::isfinite(length)) return;
  beta_ += length * direction;
  if (first >= 0) beta_[first] = 0;
  residual_ -= length * v;
}

LassoFit Lasso::path(double lambda, std::uint32_t values, double ratio) {
  double at = lambda_max();
  for (std::uint32_t i = 1; i < values && at * ratio > lambda; ++i) {
    at *= ratio;
    minimise(at, options_.path_tolerance);
  }
  minimise(lambda, options_.tolerance);
  return {beta_, lambda, duality_gap(lambda), visits_};
}

double Lasso::objective(double lambda) const {
  return residual_.squaredNorm() / (2 * rows_) + lambda * options_.weight.cwiseProduct(beta_.cwiseAbs()).sum();
}

double Lasso::duality_gap(double lambda) const {
  // The dual point is the residual, scaled until no column's correlation exceeds its threshold.
  double scale = 1;
  for (Eigen::Index j = 0; j < x_.cols(); ++j) {
    const double reach = std::abs(x_.col(j).dot(residual_)), limit = lambda * rows_ * options_.weight[j];
    if (reach > limit) scale = std::min(scale, limit / reach);
  }
  const double dual = (y_.squaredNorm() - (y_ - scale * residual_).squaredNorm()) / (2 * rows_);
  return objective(lambda) - dual;
}

}  // namespace sotto::analyzer

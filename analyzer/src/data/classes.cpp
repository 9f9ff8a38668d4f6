// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/classes.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>
#include <vector>

namespace sotto::analyzer {
namespace {

constexpr int k_newton_steps = 25;

}  // namespace

double class_error(const Eigen::VectorXd& scores, const Eigen::VectorXd& target, double share) {
  const auto n = scores.size();
  if (n == 0) return 0;
  std::vector<double> sorted(scores.begin(), scores.end());
  const auto first =
      static_cast<std::ptrdiff_t>(std::clamp(std::round(share * static_cast<double>(n)), 0.0, static_cast<double>(n)));
  std::ranges::sort(sorted, std::greater<>{});
  // Rows with tied scores, for example under an empty model, all go to the other class.
  const double bound = first == 0   ? sorted.front()
                       : first == n ? sorted.back() - 1
                                    : sorted[static_cast<std::size_t>(first)];
  double wrong = 0;
  for (Eigen::Index i = 0; i < n; ++i) wrong += (scores[i] > bound) != (target[i] > 0);
  return wrong / static_cast<double>(n);
}

Eigen::VectorXd fit_logistic(const StandardRows& rows, double ridge) {
  const Eigen::Index n = rows.x.rows(), d = rows.x.cols();
  Eigen::VectorXd at = Eigen::VectorXd::Zero(d + 1);
  for (int step = 0; step < k_newton_steps; ++step) {
    const Eigen::ArrayXd u = (rows.x * at.head(d)).array() + at[d];
    const Eigen::ArrayXd yes = 1 / (1 + (-u).exp());
    const Eigen::ArrayXd left = (rows.y.array() > 0).cast<double>() - yes, weight = yes * (1 - yes);
    Eigen::VectorXd score(d + 1);
    score.head(d) = rows.x.transpose() * left.matrix() - ridge * static_cast<double>(n) * at.head(d);
    score[d] = left.sum();
    Eigen::MatrixXd information(d + 1, d + 1);
    const Eigen::MatrixXd weighted = rows.x.array().colwise() * weight;
    information.topLeftCorner(d, d) = rows.x.transpose() * weighted;
    information.topLeftCorner(d, d).diagonal().array() += ridge * static_cast<double>(n);
    information.col(d).head(d) = weighted.colwise().sum().transpose();
    information.row(d).head(d) = information.col(d).head(d).transpose();
    information(d, d) = weight.sum() + 1e-9;
    const Eigen::VectorXd move = information.ldlt().solve(score);
    at += move;
    if (move.norm() < 1e-8) break;
  }
  return at;
}

double logistic_error(const Eigen::VectorXd& fit, const StandardRows& rows) {
  const Eigen::Index d = rows.x.cols();
  const Eigen::VectorXd u = rows.x * fit.head(d);
  double wrong = 0;
  for (Eigen::Index i = 0; i < u.size(); ++i) wrong += (u[i] + fit[d] > 0) != (rows.y[i] > 0);
  return wrong / static_cast<double>(std::max<Eigen::Index>(1, u.size()));
}

}  // namespace sotto::analyzer

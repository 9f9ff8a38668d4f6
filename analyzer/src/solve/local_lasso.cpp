// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "local_lasso.hpp"

#include <algorithm>
#include <vector>

#include "sotto/analyzer/data/split.hpp"
#include "sotto/analyzer/solve/gram_lasso.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_local_lambdas = 20;
constexpr double k_share_min = 0.1;
constexpr std::size_t k_folds = 3;
constexpr Eigen::Index k_enough_to_validate = 12;

Covariances covariances(const Eigen::MatrixXd& x, const Eigen::VectorXd& y) {
  const double rows = static_cast<double>(y.size());
  Covariances data{.mean_x = x.colwise().mean(), .mean_y = y.mean(), .xx = {}, .xy = {}, .yy = 0};
  const Eigen::MatrixXd off = x.rowwise() - data.mean_x.transpose();
  const Eigen::VectorXd off_y = y.array() - data.mean_y;
  data.xx = off.transpose() * off / rows;
  data.xy = off.transpose() * off_y / rows;
  data.yy = off_y.squaredNorm() / rows;
  return data;
}

/// The columns that vary over the user's rows; on a device most 0/1 columns do not.
std::vector<Eigen::Index> varying(const Eigen::MatrixXd& x) {
  std::vector<Eigen::Index> at;
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    if ((x.col(j).array() != x(0, j)).any()) at.push_back(j);
  }
  return at;
}

}  // namespace

LinearModel local_lasso(const StandardRows& rows, std::uint32_t user, std::uint64_t seed) {
  const auto from = static_cast<Eigen::Index>(rows.first_row[user]);
  const Eigen::Index count = static_cast<Eigen::Index>(rows.first_row[user + 1]) - from;
  LinearModel model{.beta = Eigen::VectorXd::Zero(rows.x.cols()), .intercept = 0};
  if (count == 0) return model;
  const Eigen::VectorXd y = rows.y.segment(from, count);
  model.intercept = y.mean();
  const Eigen::MatrixXd all = rows.x.middleRows(from, count);
  const auto columns = varying(all);
  const Eigen::MatrixXd x = all(Eigen::all, columns);

  const Covariances whole = covariances(x, y);
  GramLasso lasso(whole.xx, whole.xy, whole.yy);
  if (!(lasso.lambda_max() > 0)) return model;
  const auto lambdas = falling_lambdas(lasso.lambda_max(), k_local_lambdas, k_share_min);
  std::size_t chosen = lambdas.size() - 1;
  if (count >= k_enough_to_validate) {
    const auto order = split_users(static_cast<std::size_t>(count), 0, seed).train;
    std::vector<double> squares(lambdas.size());
    for (std::size_t fold = 0; fold < k_folds; ++fold) {
      std::vector<Eigen::Index> taught, held;
      for (std::size_t i = 0; i < order.size(); ++i) (i % k_folds == fold ? held : taught).push_back(order[i]);
      const Covariances part = covariances(x(taught, Eigen::all), y(taught));
      GramLasso path(part.xx, part.xy, part.yy);
      const Eigen::MatrixXd held_x = x(held, Eigen::all);
      const Eigen::VectorXd held_y = y(held);
      for (std::size_t i = 0; i < lambdas.size(); ++i) {
        path.minimise(lambdas[i]);
        const LinearModel fit = with_intercept(path.beta(), part);
        squares[i] += ((held_y - held_x * fit.beta).array() - fit.intercept).square().sum();
      }
    }
    chosen = static_cast<std::size_t>(std::min_element(squares.begin(), squares.end()) - squares.begin());
  }
  for (std::size_t i = 0; i <= chosen; ++i) lasso.minimise(lambdas[i]);
  const LinearModel fit = with_intercept(lasso.beta(), whole);
  model.beta(columns) = fit.beta;
  model.intercept = fit.intercept;
  return model;
}

}  // namespace sotto::analyzer

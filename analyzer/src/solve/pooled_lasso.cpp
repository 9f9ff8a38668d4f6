// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/solve/pooled_lasso.hpp"

#include <algorithm>
#include <utility>

#include "sotto/analyzer/data/split.hpp"
#include "sotto/analyzer/solve/gram_lasso.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_lambdas = 100;
// With more columns the moments of all folds together would not fit a small machine (5 x 32 MB); they are then
// recomputed when needed.
constexpr Eigen::Index k_kept_max = 2048;

/// The users of every fold: a random permutation, dealt out in turn.
std::vector<std::vector<std::uint32_t>> deal(std::size_t users, std::uint32_t folds, std::uint64_t seed) {
  std::vector<std::vector<std::uint32_t>> hands(folds);
  const auto order = split_users(users, 0, seed).train;
  for (std::size_t i = 0; i < order.size(); ++i) hands[i % folds].push_back(order[i]);
  return hands;
}

RowMoments sums_over(const StandardRows& rows, const std::vector<std::uint32_t>& users) {
  RowMoments sums(rows.x.cols());
  sums.add(rows, users);
  return sums;
}

/// Fits the path on all users outside `held`, and adds the squared errors on `held`.
void validate(RowMoments taught, const RowMoments& held, const std::vector<double>& lambdas,
              std::vector<double>& squares) {
  taught -= held;
  const Covariances data = centred(std::move(taught));
  GramLasso lasso(data.xx, data.xy, data.yy);
  for (std::size_t i = 0; i < lambdas.size(); ++i) {
    lasso.minimise(lambdas[i]);
    squares[i] += held.rows * mean_squared_error(with_intercept(lasso.beta(), data), held);
  }
}

}  // namespace

PooledLasso pooled_lasso_cv(const StandardRows& rows, std::uint32_t folds, std::uint64_t seed) {
  folds = static_cast<std::uint32_t>(std::min<std::size_t>(std::max(folds, 2u), rows.users()));
  const auto hands = deal(rows.users(), folds, seed);
  const bool keep = rows.x.cols() <= k_kept_max;
  std::vector<RowMoments> kept;
  RowMoments all(rows.x.cols());
  for (const auto& hand : hands) {
    RowMoments sums = sums_over(rows, hand);
    all += sums;
    if (keep) kept.push_back(std::move(sums));
  }

  const Covariances data = centred(all);
  GramLasso lasso(data.xx, data.xy, data.yy);
  PooledLasso fit;
  fit.lambda = lasso.lambda_max();
  fit.model = with_intercept(lasso.beta(), data);
  if (folds < 2 || !(fit.lambda > 0)) return fit;

  fit.lambdas = falling_lambdas(fit.lambda, k_lambdas);
  fit.validation_mse.assign(fit.lambdas.size(), 0);
  for (std::size_t f = 0; f < folds; ++f) {
    validate(all, keep ? kept[f] : sums_over(rows, hands[f]), fit.lambdas, fit.validation_mse);
  }
  for (double& squares : fit.validation_mse) squares /= all.rows;

  const auto least = std::min_element(fit.validation_mse.begin(), fit.validation_mse.end());
  const auto chosen = static_cast<std::size_t>(least - fit.validation_mse.begin());
  fit.lambda = fit.lambdas[chosen];
  for (std::size_t i = 0; i <= chosen; ++i) lasso.minimise(fit.lambdas[i]);
  fit.model = with_intercept(lasso.beta(), data);
  return fit;
}

}  // namespace sotto::analyzer

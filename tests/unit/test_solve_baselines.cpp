// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The Lasso on covariances, its cross-validated path over everybody's rows, and matching pursuit.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "sotto/analyzer/solve/gram_lasso.hpp"
#include "sotto/analyzer/solve/lasso.hpp"
#include "sotto/analyzer/solve/moments.hpp"
#include "sotto/analyzer/solve/omp.hpp"
#include "sotto/analyzer/solve/pooled_lasso.hpp"

namespace sotto::analyzer {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

/// Rows of `users` users, `each` per user; neighbouring columns go along; y = x_0 - 2 x_1 + 3 + noise.
StandardRows some_rows(std::uint64_t seed, std::uint64_t users, std::uint64_t each, Index columns, double noise) {
  std::mt19937_64 random{seed};
  std::normal_distribution<double> bell;
  StandardRows rows{.x = RowMatrix(static_cast<Index>(users * each), columns), .y = {}, .first_row = {0}};
  rows.y.resize(rows.x.rows());
  for (std::uint64_t u = 0; u < users; ++u) rows.first_row.push_back((u + 1) * each);
  for (Index r = 0; r < rows.x.rows(); ++r) {
    for (Index j = 0; j < columns; ++j) rows.x(r, j) = bell(random) + (j > 0 ? 0.9 * rows.x(r, j - 1) : 0.7);
    rows.y[r] = rows.x(r, 0) - (columns > 1 ? 2 * rows.x(r, 1) : 0) + 3 + noise * bell(random);
  }
  return rows;
}

std::vector<std::uint32_t> all_users(const StandardRows& rows) {
  std::vector<std::uint32_t> all(rows.users());
  std::iota(all.begin(), all.end(), 0u);
  return all;
}

RowMoments sums_of(const StandardRows& rows) {
  RowMoments sums(rows.x.cols());
  sums.add(rows, all_users(rows));
  return sums;
}

TEST(RowMoments, are_the_sums_over_the_rows_of_their_users) {
  const StandardRows rows = some_rows(1, 130, 9, 4, 1);  // more than two blocks
  const RowMoments all = sums_of(rows);
  EXPECT_EQ(all.rows, 130 * 9);
  RowMoments some(4), others(4);
  std::vector<std::uint32_t> odd, even;
  for (std::uint32_t u = 0; u < 130; ++u) (u % 2 ? odd : even).push_back(u);
  some.add(rows, odd);
  others.add(rows, even);
  RowMoments rest = all;
  rest -= some;
  others += some;
  EXPECT_NEAR((others.xx - all.xx).norm(), 0, 1e-8);
  EXPECT_NEAR(rest.yy + some.yy, all.yy, 1e-8);
  const Covariances data = centred(all);
  const RowMatrix off = rows.x.rowwise() - rows.x.colwise().mean();
  EXPECT_NEAR((data.xx - off.transpose() * off / 1170.0).norm(), 0, 1e-9);
  EXPECT_NEAR((data.xy - off.transpose() * rows.y / 1170.0).norm(), 0, 1e-9);
  EXPECT_NEAR(data.yy, (rows.y.array() - rows.y.mean()).square().mean(), 1e-9);
}

TEST(RowMoments, know_the_error_of_a_model_without_the_rows) {
  const StandardRows rows = some_rows(2, 20, 7, 5, 1);
  const LinearModel model{.beta = VectorXd{{0.5, 0, -1, 0, 0.25}}, .intercept = 0.3};
  const double direct = ((rows.y - rows.x * model.beta).array() - 0.3).square().mean();
  EXPECT_NEAR(mean_squared_error(model, sums_of(rows)), direct, 1e-10);
  EXPECT_NEAR(mean_squared_error(model, rows), direct, 1e-12);
}

TEST(GramLasso, meets_the_conditions_of_a_minimum) {
  for (const auto& [users, columns] : {std::pair{30u, 12}, {5u, 40}}) {  // the second with more columns than rows
    const Covariances data = centred(sums_of(some_rows(3, users, 6, columns, 1)));
    GramLasso lasso(data.xx, data.xy, data.yy);
    for (const double lambda : falling_lambdas(lasso.lambda_max(), 12, 0.01)) {
      lasso.minimise(lambda, 1e-16);
      const VectorXd gradient = data.xy - data.xx * lasso.beta();
      for (Index j = 0; j < columns; ++j) {
        if (lasso.beta()[j] != 0) {
          EXPECT_NEAR(gradient[j], std::copysign(lambda, lasso.beta()[j]), 1e-6) << lambda << " " << j;
        } else {
          EXPECT_LE(std::abs(gradient[j]), lambda + 1e-6) << lambda << " " << j;
        }
      }
    }
  }
}

TEST(GramLasso, agrees_with_the_lasso_on_rows) {
  const StandardRows rows = some_rows(4, 20, 5, 15, 1);
  const Covariances data = centred(sums_of(rows));
  const Eigen::MatrixXd x = rows.x.rowwise() - rows.x.colwise().mean();
  const VectorXd y = rows.y.array() - rows.y.mean();
  GramLasso lasso(data.xx, data.xy, data.yy);
  EXPECT_NEAR(lasso.lambda_max(), Lasso(x, y).lambda_max(), 1e-10);
  const double lambda = 0.05 * lasso.lambda_max();
  lasso.minimise(lambda, 1e-16);
  const LassoFit fit = Lasso{x, y, {.tolerance = 1e-10}}.path(lambda);
  EXPECT_NEAR((lasso.beta() - fit.beta).cwiseAbs().maxCoeff(), 0, 1e-6);
}

TEST(GramLasso, is_zero_at_its_largest_lambda_and_not_below) {
  const Covariances data = centred(sums_of(some_rows(5, 20, 5, 6, 1)));
  GramLasso lasso(data.xx, data.xy, data.yy);
  lasso.minimise(lasso.lambda_max() * (1 + 1e-12));
  EXPECT_EQ(lasso.beta().norm(), 0);
  lasso.minimise(lasso.lambda_max() * 0.99);
  EXPECT_GT(lasso.beta().norm(), 0);
}

TEST(GramLasso, leaves_columns_that_do_not_vary_alone) {
  StandardRows rows = some_rows(6, 20, 5, 6, 1);
  rows.x.col(3).setConstant(1.7);
  const Covariances data = centred(sums_of(rows));
  GramLasso lasso(data.xx, data.xy, data.yy);
  lasso.minimise(1e-3 * lasso.lambda_max());
  EXPECT_EQ(lasso.beta()[3], 0);
  EXPECT_TRUE(lasso.beta().allFinite());
}

TEST(GramLasso, lambdas_fall_evenly_in_the_logarithm) {
  const auto lambdas = falling_lambdas(2, 4, 1e-3);
  ASSERT_EQ(lambdas.size(), 4u);
  EXPECT_DOUBLE_EQ(lambdas[0], 2);
  EXPECT_NEAR(lambdas[1], 0.2, 1e-12);
  EXPECT_NEAR(lambdas[3], 0.002, 1e-12);
}

TEST(PooledLasso, finds_the_model_behind_the_rows) {
  const PooledLasso fit = pooled_lasso_cv(some_rows(7, 100, 10, 10, 0.1));
  EXPECT_NEAR(fit.model.beta[0], 1, 0.03);
  EXPECT_NEAR(fit.model.beta[1], -2, 0.03);
  EXPECT_NEAR(fit.model.intercept, 3, 0.03);
  EXPECT_LT(fit.model.beta.tail(8).cwiseAbs().maxCoeff(), 0.03);
  ASSERT_EQ(fit.lambdas.size(), 100u);
  ASSERT_EQ(fit.validation_mse.size(), 100u);
  EXPECT_NEAR(fit.lambdas[99] / fit.lambdas[0], 1e-3, 1e-9);
  EXPECT_NEAR(*std::min_element(fit.validation_mse.begin(), fit.validation_mse.end()), 0.01, 0.002);
}

TEST(PooledLasso, validates_on_users_who_did_not_teach) {
  // Every user has a column of its own that tells its level exactly. Rows of a user on both sides would make that look learned.
  constexpr std::uint64_t k_users = 40, k_each = 5;
  StandardRows rows = some_rows(8, k_users, k_each, static_cast<Index>(k_users), 0);
  std::mt19937_64 random{9};
  std::normal_distribution<double> bell;
  rows.x.setZero();
  for (std::uint64_t u = 0; u < k_users; ++u) {
    const double level = bell(random);
    for (std::uint64_t r = u * k_each; r < (u + 1) * k_each; ++r) {
      rows.x(static_cast<Index>(r), static_cast<Index>(u)) = 1;
      rows.y[static_cast<Index>(r)] = level;
    }
  }
  const PooledLasso fit = pooled_lasso_cv(rows);
  const double variance = (rows.y.array() - rows.y.mean()).square().mean();
  EXPECT_GT(*std::min_element(fit.validation_mse.begin(), fit.validation_mse.end()), 0.9 * variance);
}

TEST(PooledLasso, refits_on_all_rows_at_the_lambda_of_the_least_validation_error) {
  const StandardRows rows = some_rows(10, 30, 4, 20, 2);
  const PooledLasso fit = pooled_lasso_cv(rows, 5, 3);
  const auto least = std::min_element(fit.validation_mse.begin(), fit.validation_mse.end());
  EXPECT_EQ(fit.lambda, fit.lambdas[static_cast<std::size_t>(least - fit.validation_mse.begin())]);
  const Covariances data = centred(sums_of(rows));
  const VectorXd gradient = data.xy - data.xx * fit.model.beta;
  EXPECT_NEAR(gradient.cwiseAbs().maxCoeff(), fit.lambda, 1e-3 * fit.lambda + 1e-4);
  EXPECT_NEAR((rows.y - rows.x * fit.model.beta).mean(), fit.model.intercept, 1e-9);
  EXPECT_EQ(pooled_lasso_cv(rows, 5, 3).model.beta, fit.model.beta);
}

TEST(PooledLasso, is_the_mean_where_there_is_nothing_to_learn) {
  StandardRows rows = some_rows(11, 10, 3, 4, 1);
  rows.y.setConstant(2.5);
  EXPECT_EQ(pooled_lasso_cv(rows).model.beta.norm(), 0);
  EXPECT_DOUBLE_EQ(pooled_lasso_cv(rows).model.intercept, 2.5);
  const StandardRows one = some_rows(12, 1, 20, 4, 1);
  EXPECT_EQ(pooled_lasso_cv(one).model.beta.norm(), 0);
  EXPECT_NEAR(pooled_lasso_cv(one).model.intercept, one.y.mean(), 1e-12);
  EXPECT_TRUE(pooled_lasso_cv(some_rows(13, 2, 20, 4, 1)).model.beta.allFinite());
}

TEST(MatchingPursuit, chooses_the_features_of_an_exact_model_and_stops) {
  const StandardRows rows = some_rows(14, 40, 5, 10, 0);
  const PursuitFit fit = orthogonal_matching_pursuit(centred(sums_of(rows)), 8);
  EXPECT_NEAR(mean_squared_error(fit.model, rows), 0, 1e-10);
  EXPECT_LE(fit.chosen.size(), 8u);
  const PursuitFit one = orthogonal_matching_pursuit(centred(sums_of(rows)), 1);
  ASSERT_EQ(one.chosen.size(), 1u);
}

TEST(MatchingPursuit, is_least_squares_on_the_most_correlated_with_what_is_left) {
  const Covariances data = centred(sums_of(some_rows(15, 40, 5, 12, 3)));
  const PursuitFit fit = orthogonal_matching_pursuit(data, 6);
  ASSERT_EQ(fit.chosen.size(), 6u);
  for (std::uint32_t k = 1; k <= 6; ++k) {
    const PursuitFit part = orthogonal_matching_pursuit(data, k);
    ASSERT_TRUE(std::equal(part.chosen.begin(), part.chosen.end(), fit.chosen.begin()));
    const VectorXd left = data.xy - data.xx * part.model.beta;
    for (const std::uint32_t j : part.chosen) EXPECT_NEAR(left[j], 0, 1e-9);  // the normal equations
    EXPECT_EQ((part.model.beta.array() != 0).count(), k);
    if (k == 6) break;
    const VectorXd correlation = left.cwiseAbs().cwiseQuotient(data.xx.diagonal().cwiseSqrt());
    Index best = 0;
    correlation.maxCoeff(&best);
    EXPECT_EQ(static_cast<std::uint32_t>(best), fit.chosen[k]);
  }
}

TEST(MatchingPursuit, does_not_take_a_copy_of_a_feature_nor_one_that_does_not_vary) {
  StandardRows rows = some_rows(16, 40, 5, 5, 1);
  rows.x.col(3) = rows.x.col(1);
  rows.x.col(4).setConstant(2);
  const PursuitFit fit = orthogonal_matching_pursuit(centred(sums_of(rows)), 5);
  EXPECT_EQ(fit.chosen.size(), 3u);
  EXPECT_TRUE(fit.model.beta.allFinite());
  EXPECT_LT(fit.model.beta.cwiseAbs().maxCoeff(), 4);
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The analyzer's Lasso: closed forms, the conditions of a minimum, and designs on which plain coordinate descent creeps.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <random>

#include "sotto/analyzer/solve/lasso.hpp"

namespace sotto::analyzer {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd bells(Eigen::Index rows, Eigen::Index columns, std::mt19937_64& random) {
  std::normal_distribution<double> bell;
  MatrixXd m(rows, columns);
  for (auto& v : m.reshaped()) v = bell(random);
  return m;
}

/// |x'r| = lambda m where b is not zero, with b's sign; at most that where it is.
void expect_minimum(const MatrixXd& x, const VectorXd& y, const VectorXd& beta, double lambda, const VectorXd& weight,
                    double slack) {
  const VectorXd gradient = x.transpose() * (y - x * beta) / static_cast<double>(x.rows());
  for (Eigen::Index j = 0; j < beta.size(); ++j) {
    if (beta[j] != 0) {
      EXPECT_NEAR(gradient[j], std::copysign(lambda * weight[j], beta[j]), slack) << j;
    } else {
      EXPECT_LE(std::abs(gradient[j]), lambda * weight[j] + slack) << j;
    }
  }
}

TEST(SolveLasso, orthogonal_columns_are_shrunk_each_for_itself) {
  std::mt19937_64 random{1};
  const MatrixXd q = Eigen::HouseholderQR<MatrixXd>(bells(50, 10, random)).householderQ() * MatrixXd::Identity(50, 10);
  const VectorXd y = bells(50, 1, random), least_squares = q.transpose() * y;
  const double lambda = 0.01;
  const LassoFit fit = Lasso{q, y, {.tolerance = 1e-13}}.path(lambda);
  for (Eigen::Index j = 0; j < 10; ++j) {
    const double shrunk = std::max(0.0, std::abs(least_squares[j]) - 50 * lambda);
    EXPECT_NEAR(fit.beta[j], std::copysign(shrunk, least_squares[j]), 1e-12);
  }
}

TEST(SolveLasso, meets_the_conditions_of_a_minimum) {
  std::mt19937_64 random{2};
  for (int trial = 0; trial < 60; ++trial) {
    const Eigen::Index rows = 20 + static_cast<Eigen::Index>(random() % 60),
                       columns = 1 + static_cast<Eigen::Index>(random() % 100);
    MatrixXd x = bells(rows, columns, random);
    if (trial % 3 == 1) x.rightCols(columns - 1) = 0.95 * x.leftCols(columns - 1) + 0.3 * x.rightCols(columns - 1);
    const VectorXd y = x.col(0) + bells(rows, 1, random);
    VectorXd weight = VectorXd::Ones(columns);
    if (trial % 3 == 2) weight = weight.unaryExpr([&](double) { return static_cast<double>(random() % 3); });
    Lasso lasso{x, y, {.tolerance = 1e-12, .weight = weight}};
    const double lambda = lasso.lambda_max() * 0.15;
    const LassoFit fit = lasso.path(lambda);
    expect_minimum(x, y, fit.beta, lambda, weight, 1e-8);
    EXPECT_GE(fit.duality_gap, -1e-12);
    if (weight.minCoeff() > 0) {
      EXPECT_LE(fit.duality_gap, 1e-8);
    }
  }
}

TEST(SolveLasso, does_not_creep_along_columns_that_are_all_but_proportional) {
  std::mt19937_64 random{3};
  for (int trial = 0; trial < 20; ++trial) {
    MatrixXd x = bells(40, 12, random);
    x.col(1) = x.col(0) * (1 + 1e-4);  // the minimum takes column 1 alone; plain descent needs some 10^5 passes for it
    const VectorXd y = x.col(0) + 0.1 * bells(40, 1, random);
    Lasso lasso{x, y, {.tolerance = 1e-12}};
    const LassoFit fit = lasso.path(0.05);
    EXPECT_EQ(fit.beta[0], 0);
    expect_minimum(x, y, fit.beta, 0.05, VectorXd::Ones(12), 1e-9);
    EXPECT_LT(fit.visits, 20000u);
  }
}

TEST(SolveLasso, degenerate_problems_have_an_answer) {
  const MatrixXd zeros = MatrixXd::Zero(5, 3);
  const VectorXd y = VectorXd::Ones(5);
  EXPECT_TRUE(Lasso(zeros, y).path(0.1).beta.isZero());
  EXPECT_TRUE(Lasso(zeros, y).path(0).beta.isZero());
  const MatrixXd none(5, 0);
  EXPECT_EQ(Lasso(none, y).path(0.1).beta.size(), 0);
  std::mt19937_64 random{4};
  const MatrixXd x = bells(5, 3, random);
  EXPECT_TRUE(Lasso(x, y).path(1e9).beta.isZero());
}

}  // namespace
}  // namespace sotto::analyzer

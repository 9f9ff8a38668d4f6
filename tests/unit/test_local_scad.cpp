// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// SCAD in fixed point against local linear approximation in doubles, and what it is for: less bias than the Lasso.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "lasso_agreement.hpp"

namespace sotto {
namespace {

std::vector<std::int32_t> solve_device(const ScreenedProblem& p, const ScadSpec& spec) {
  std::vector<std::byte> work(lasso_work_bytes(p.view().rows, static_cast<std::uint32_t>(p.chosen().size())));
  std::vector<std::int32_t> beta(p.chosen().size());
  scad(spec, k_scad_rounds, p.view(), work, beta);
  return beta;
}

double weight(double size, double corner) {
  if (size <= corner) return 1;
  return std::max(0.0, (3.7 * corner - size) / (2.7 * corner));
}

/// The Lasso and three weighted ones, converged.
Eigen::VectorXd solve_double(const ScreenedProblem& p, const ScadSpec& spec) {
  const double lambda = spec.lasso.lambda_q24 / k_q24, unit = spec.unit_q15 / 32768.0, corner = lambda / (unit * unit);
  Eigen::VectorXd beta = p.solve_double(lambda).beta;
  for (std::uint32_t round = 0; round < k_scad_rounds; ++round) {
    const Eigen::VectorXd weights = beta.unaryExpr([&](double b) { return weight(std::abs(b), corner); });
    beta = p.solve_double(lambda, weights).beta;
  }
  return beta;
}

TEST(Scad, the_weight_is_its_formula) {
  std::mt19937_64 random{51};
  for (int trial = 0; trial < 100000; ++trial) {
    const auto corner = static_cast<std::uint32_t>(1 + random() % (1u << 31)),
               size = static_cast<std::uint32_t>(random() % (1u << 31));
    ASSERT_NEAR(scad_weight_q15(size, corner) / 32768.0, weight(size, corner), 1.0 / 32768);
  }
}

TEST(Scad, agrees_with_doubles_on_synthetic_users) {
  std::mt19937_64 random{52};
  int same = 0, users = 0;
  double worst = 0;
  for (; users < 100; ++users) {
    const LocalProblem all = bell_problem(100, 128, random);
    const ScreenedProblem p{all, 100};
    const ScadSpec spec{{.nominal_rows = 100, .lambda_q24 = lambda_rule_q24(128, 100, k_unit_q15, 6554, 32768)},
                        k_unit_q15};
    const Eigen::VectorXd device = from_q24(solve_device(p, spec)), exact = solve_double(p, spec);
    same += (device.array() != 0).cwiseEqual(exact.array().abs() > 1e-9).all();
    worst = std::max(worst, (device - exact).cwiseAbs().maxCoeff());
  }
  EXPECT_GE(same, 99);
  EXPECT_LE(worst, std::ldexp(1, -10));
}

TEST(Scad, loses_the_bias_of_the_lasso_on_strong_variables) {
  std::mt19937_64 random{53};
  std::normal_distribution<double> bell;
  double lasso_error = 0, scad_error = 0;
  for (int user = 0; user < 50; ++user) {
    LocalProblem all{100, 64};
    for (std::uint32_t i = 0; i < 100; ++i) {
      double target = 0.1 * bell(random);
      for (std::uint32_t j = 0; j < 64; ++j) {
        const double x = bell(random) / 4;
        all.set(i, j, x);
        if (j < 3) target += 0.6 * x;
      }
      all.set_target(i, target);
    }
    const ScreenedProblem p{all, 100};
    const ScadSpec spec{{.nominal_rows = 100, .lambda_q24 = lambda_rule_q24(64, 100, k_unit_q15, 3277)}, k_unit_q15};
    const auto a = p.solve_device(spec.lasso), b = solve_device(p, spec);
    for (std::size_t j = 0; j < a.size(); ++j) {
      const double truth = p.chosen()[j] < 3 ? 0.6 : 0;
      lasso_error += std::pow(a[j] / k_q24 - truth, 2);
      scad_error += std::pow(b[j] / k_q24 - truth, 2);
    }
  }
  EXPECT_LT(scad_error, 0.5 * lasso_error);
}

TEST(Scad, is_total) {
  std::mt19937_64 random{54};
  for (int trial = 0; trial < 150; ++trial) {
    const auto rows = static_cast<std::uint32_t>(random() % 60),
               features = static_cast<std::uint32_t>(1 + random() % 40);
    const LocalProblem all = wild_problem(rows, features, random);
    const ScreenedProblem p{all, 1 + static_cast<std::uint32_t>(random() % 100)};
    const ScadSpec spec{{.nominal_rows = p.nominal_rows(),
                         .lambda_q24 = static_cast<std::uint32_t>(random()) >> (random() % 32),
                         .visits = static_cast<std::uint32_t>(random() % 3000)},
                        1 + static_cast<std::uint32_t>(random() % 32768)};
    const Eigen::VectorXd b = from_q24(solve_device(p, spec));
    // Concave penalties are at least zero, so the loss alone is not above that of b = 0.
    ASSERT_LE((p.y() - p.x() * b).squaredNorm(), p.y().squaredNorm() * (1 + 1e-5) + 1e-9) << "trial " << trial;
    ASSERT_LE(b.cwiseAbs().maxCoeff(), 64);
  }
}

}  // namespace
}  // namespace sotto

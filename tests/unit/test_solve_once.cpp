// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Solvers of the protocols that collect once, each against an exact small case, a certificate of its minimum, or another method.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <numbers>
#include <random>

#include "sotto/analyzer/solve/basis_pursuit.hpp"
#include "sotto/analyzer/solve/chebyshev.hpp"
#include "sotto/analyzer/solve/geometric_median.hpp"
#include "sotto/analyzer/solve/l1_ball.hpp"
#include "sotto/analyzer/solve/projected_gradient.hpp"
#include "sotto/analyzer/solve/psd.hpp"
#include "sotto/analyzer/solve/sigm.hpp"

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

/// The threshold of the simplex by bisection, which needs no sorting.
VectorXd simplex_by_bisection(const VectorXd& v, double total) {
  double low = v.minCoeff() - total, high = v.maxCoeff();
  for (int i = 0; i < 200; ++i) {
    const double middle = (low + high) / 2;
    ((v.array() - middle).cwiseMax(0).sum() > total ? low : high) = middle;
  }
  return (v.array() - high).cwiseMax(0);
}

TEST(SolveOnce, the_simplex_projection_is_the_bisections_and_keeps_its_sum) {
  std::mt19937_64 random{1};
  for (int trial = 0; trial < 200; ++trial) {
    const VectorXd v = bells(1 + static_cast<Eigen::Index>(random() % 40), 1, random);
    const double total = 0.1 + static_cast<double>(trial % 7);
    const VectorXd x = project_simplex(v, total);
    EXPECT_NEAR(x.sum(), total, 1e-11);
    EXPECT_LE((x - simplex_by_bisection(v, total)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(SolveOnce, the_l_1_projection_is_the_nearest_point_of_the_ball) {
  std::mt19937_64 random{2};
  for (int trial = 0; trial < 200; ++trial) {
    const VectorXd v = bells(1 + static_cast<Eigen::Index>(random() % 30), 1, random);
    const VectorXd x = project_l1_ball(v, 1.5);
    EXPECT_LE(x.lpNorm<1>(), 1.5 + 1e-12);
    // (v - x)'(p - x) <= 0 for every vertex p of the ball is what makes x the nearest point.
    const VectorXd away = v - x;
    EXPECT_LE(1.5 * away.cwiseAbs().maxCoeff() - away.dot(x), 1e-12 * (1 + v.squaredNorm()));
  }
  EXPECT_EQ(project_l1_ball(VectorXd::Constant(4, 0.1), 1), VectorXd::Constant(4, 0.1));
  EXPECT_EQ(project_l1_ball(VectorXd::Constant(4, 0.1), 0), VectorXd::Zero(4));
  EXPECT_NEAR(project_l2_ball(VectorXd::Constant(4, 3), 2).norm(), 2, 1e-15);
}

// Over the l1 ball the gap max_p g'(x - p) bounds f(x) - min f, and the maximum is at a vertex.
TEST(SolveOnce, a_quadratic_over_the_l_1_ball_ends_within_1e8_of_its_minimum) {
  std::mt19937_64 random{3};
  for (int trial = 0; trial < 30; ++trial) {
    const Eigen::Index d = 2 + static_cast<Eigen::Index>(random() % 40);
    // Some of them singular, as moments of few reports are.
    const MatrixXd a = bells(trial % 3 == 0 ? d / 2 + 1 : 2 * d, d, random);
    const MatrixXd q = a.transpose() * a / static_cast<double>(a.rows());
    const VectorXd b = q * project_l1_ball(bells(d, 1, random), 2) + 0.1 * bells(d, 1, random);
    const auto result = minimise_quadratic(q, b, [](const VectorXd& x) { return project_l1_ball(x, 1); });
    const VectorXd gradient = q * result.x - b;
    EXPECT_TRUE(result.converged);
    EXPECT_LE(gradient.dot(result.x) + gradient.cwiseAbs().maxCoeff(), 1e-8) << trial;
  }
}

TEST(SolveOnce, a_quadratic_in_two_dimensions_is_the_exact_corner) {
  // x'x/2 - (3, 1)'x over |x|_1 <= 1: the corner (1, 0).
  const auto result = minimise_quadratic(MatrixXd::Identity(2, 2), Eigen::Vector2d(3, 1),
                                         [](const VectorXd& x) { return project_l1_ball(x, 1); });
  EXPECT_NEAR(result.x[0], 1, 1e-12);
  EXPECT_NEAR(result.x[1], 0, 1e-12);
}

// The dual of basis pursuit denoising is max u'v - eta |v| with |G'v|_inf <= 1: its value never exceeds the minimum.
TEST(SolveOnce, basis_pursuit_ends_within_1e8_of_its_dual) {
  std::mt19937_64 random{4};
  for (int trial = 0; trial < 12; ++trial) {
    const MatrixXd g = bells(40, 100, random) / std::sqrt(40.0);
    VectorXd x = VectorXd::Zero(100);
    for (int i = 0; i < 4; ++i) x[static_cast<Eigen::Index>(random() % 100)] = 1;
    const VectorXd u = g * x + 0.05 * bells(40, 1, random);
    const double eta = 0.3 + 0.1 * (trial % 3);
    const BasisPursuit found = basis_pursuit(g, u, eta);
    EXPECT_LE(found.residual, eta);
    VectorXd v = (u - g * found.x) / found.lambda;
    v /= std::max(1.0, (g.transpose() * v).cwiseAbs().maxCoeff());
    EXPECT_LE(found.x.lpNorm<1>() - (u.dot(v) - eta * v.norm()), 1e-8 * found.x.lpNorm<1>() + 1e-8) << trial;
  }
}

TEST(SolveOnce, basis_pursuit_without_noise_finds_the_sparse_truth) {
  std::mt19937_64 random{5};
  const MatrixXd g = bells(60, 200, random) / std::sqrt(60.0);
  VectorXd x = VectorXd::Zero(200);
  x[3] = 1, x[77] = -2, x[150] = 0.5;
  EXPECT_LE((basis_pursuit(g, g * x, 1e-4).x - x).norm(), 1e-3);
  EXPECT_EQ(basis_pursuit(g, g * x, 100).x, VectorXd::Zero(200));
}

TEST(SolveOnce, the_nearest_positive_semidefinite_matrix_has_no_negative_eigenvalue_and_leaves_only_those) {
  std::mt19937_64 random{6};
  const MatrixXd a = bells(8, 8, random), m = a + a.transpose(), p = project_psd(m);
  const Eigen::SelfAdjointEigenSolver<MatrixXd> kept(p), left(p - m);
  EXPECT_GE(kept.eigenvalues()[0], -1e-12);
  EXPECT_GE(left.eigenvalues()[0], -1e-12);     // what was added is positive
  EXPECT_NEAR((p * (p - m)).norm(), 0, 1e-10);  // and orthogonal to what is kept: the nearest one
  EXPECT_LE((project_psd(p) - p).norm(), 1e-12);
}

TEST(SolveOnce, debiased_ridge_solves_the_ridge_where_nothing_is_negative) {
  std::mt19937_64 random{7};
  const MatrixXd a = bells(20, 6, random), q = a.transpose() * a / 20;
  const VectorXd b = bells(6, 1, random);
  const VectorXd exact = (q + 0.1 * MatrixXd::Identity(6, 6)).ldlt().solve(b);
  EXPECT_LE((debiased_ridge_inverse(q, 0.1) * b - exact).norm(), 1e-12);
  EXPECT_LE((debiased_ridge_inverse(-q, 0.1) * b - 10 * b).norm(), 1e-10);  // all negative: ridge alone
}

TEST(SolveOnce, the_geometric_median_of_a_triangle_sees_every_side_under_120_degrees) {
  MatrixXd corners(2, 3);
  corners << 0, 4, 1, 0, 0, 3;
  const VectorXd at = geometric_median(corners);
  for (int i = 0; i < 3; ++i) {
    const VectorXd one = (corners.col(i) - at).normalized(), next = (corners.col((i + 1) % 3) - at).normalized();
    EXPECT_NEAR(one.dot(next), -0.5, 1e-8);
  }
}

TEST(SolveOnce, the_geometric_median_stays_at_a_column_that_holds_the_others_and_is_not_moved_by_a_few_liars) {
  MatrixXd wide(2, 5);
  wide << 0, 1, -1, 1, 0, 0, 0, 0, 5, -5;  // the others pull (0, 0) with a force of 0.28, and it takes 1 to move it
  EXPECT_LE(geometric_median(wide).norm(), 1e-9);
  std::mt19937_64 random{8};
  MatrixXd means = bells(20, 11, random);
  const VectorXd honest = geometric_median(means);
  means.rightCols(3).setConstant(1e6);
  EXPECT_LE((geometric_median(means) - honest).norm(), 10);
  EXPECT_EQ(geometric_median(MatrixXd::Ones(3, 5)), VectorXd::Ones(3));
}

TEST(SolveOnce, chebyshev_coefficients_are_those_of_bessel_and_reproduce_polynomials) {
  // e^t = I_0(1) + 2 sum I_k(1) T_k(t).
  const auto a = chebyshev_coefficients([](double t) { return std::exp(t); }, 8);
  for (unsigned k = 0; k <= 8; ++k) EXPECT_NEAR(a[k], 2 * std::cyl_bessel_i(k, 1.0), 1e-13);
  const auto cubic = chebyshev_to_powers(chebyshev_coefficients([](double t) { return 1 - 2 * t + 3 * t * t * t; }, 3));
  EXPECT_NEAR(cubic[0], 1, 1e-13);
  EXPECT_NEAR(cubic[1], -2, 1e-13);
  EXPECT_NEAR(cubic[2], 0, 1e-13);
  EXPECT_NEAR(cubic[3], 3, 1e-13);
  // What the printed expansion (1/2 in place of a_0/2) gets wrong by a half: tanh is odd, and a_0 is 0.
  const auto logistic = [](double t) { return 0.5 * std::tanh(2 * t); };
  const auto powers = chebyshev_to_powers(chebyshev_coefficients(logistic, 15));
  EXPECT_NEAR(powers[0], 0, 1e-12);
  EXPECT_LE(polynomial_error(logistic, powers), 1e-5);
}

double sigm_error(double intermediate, int steps, double noise, std::uint64_t seed) {
  std::mt19937_64 random{seed};
  std::normal_distribution<double> bell;
  const Eigen::Vector3d best(0.3, -0.4, 0.2), curve(1, 0.5, 0.25);
  Sigm sigm(
      {1, noise, 1, intermediate}, [](const VectorXd& x) { return project_l2_ball(x, 1); }, 3);
  for (int k = 0; k < steps; ++k) {
    VectorXd g = curve.cwiseProduct(sigm.query() - best);
    for (double& c : g) c += noise * bell(random);
    sigm.step(g);
  }
  const VectorXd left = sigm.result() - best;
  return curve.dot(left.cwiseProduct(left)) / 2;
}

TEST(SolveOnce, the_intermediate_gradient_method_comes_to_the_minimum_at_its_rate) {
  // Without noise 1/k and 1/k^2; with noise sigma/sqrt k, a mean over eight seeds.
  EXPECT_LE(sigm_error(1, 1000, 0, 1), 2e-3);
  EXPECT_LE(sigm_error(2, 1000, 0, 1), 1e-5);
  for (const double p : {1.0, 1.5, 2.0}) {
    double sum = 0;
    for (std::uint64_t seed = 0; seed < 8; ++seed) sum += sigm_error(p, 20000, 1, seed);
    EXPECT_LE(sum / 8, 2 / std::sqrt(20000.0)) << p;
  }
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Least squares in fixed point against Eigen's QR in doubles, on the same Q15 numbers with the same ridge.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "../../device/src/local/factor.hpp"
#include "local_problem.hpp"
#include "real_users.hpp"
#include "sotto/local/least_squares.hpp"

namespace sotto {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::vector<std::int32_t> solve_fixed(const LeastSquaresSpec& spec, const ColumnView& view,
                                      const std::vector<std::int32_t>& centre = {}) {
  std::vector<std::byte> work(least_squares_work_bytes(view.column.size()));
  std::vector<std::int32_t> beta(view.column.size(), 123);
  least_squares(spec, view, centre.empty() ? nullptr : centre.data(), work, beta);
  return beta;
}

/// The rows and, below them, the ridge: what both sides minimise over.
MatrixXd stacked(const MatrixXd& x, const LeastSquaresSpec& spec) {
  const double ridge = spec.nominal_rows * (spec.ridge_q24 / k_q24);
  MatrixXd all(x.rows() + x.cols(), x.cols());
  all << x, std::sqrt(ridge) * MatrixXd::Identity(x.cols(), x.cols());
  return all;
}

VectorXd solve_double(const MatrixXd& x, const VectorXd& y, const LeastSquaresSpec& spec) {
  VectorXd target = VectorXd::Zero(x.rows() + x.cols());
  target.head(x.rows()) = y;
  return stacked(x, spec).colPivHouseholderQr().solve(target);
}

double condition(const MatrixXd& x, const LeastSquaresSpec& spec) {
  MatrixXd all = stacked(x, spec);
  for (Eigen::Index j = 0; j < all.cols(); ++j) all.col(j).normalize();
  const VectorXd s = all.jacobiSvd().singularValues();
  return s[0] / s[s.size() - 1];
}

MatrixXd orthogonal(Eigen::Index rows, Eigen::Index columns, std::mt19937_64& random) {
  std::normal_distribution<double> bell;
  MatrixXd m(rows, columns);
  for (auto& v : m.reshaped()) v = bell(random);
  return Eigen::HouseholderQR<MatrixXd>(m).householderQ() * MatrixXd::Identity(rows, columns);
}

/// Full-scale rows with the given condition number, the target a combination of the columns and noise.
LocalProblem conditioned(std::uint32_t rows, std::uint32_t columns, double wanted, std::mt19937_64& random) {
  VectorXd singular(columns);
  for (Eigen::Index k = 0; k < columns; ++k)
    singular[k] = std::pow(wanted, columns > 1 ? -double(k) / (columns - 1) : 0);
  MatrixXd x =
      orthogonal(rows, columns, random) * singular.asDiagonal() * orthogonal(columns, columns, random).transpose();
  x /= x.cwiseAbs().maxCoeff();
  std::normal_distribution<double> bell;
  VectorXd beta(columns);
  for (auto& b : beta.reshaped()) b = bell(random);
  const VectorXd y = x * beta / std::max(1.0, 1.6 * (x * beta).cwiseAbs().maxCoeff());
  LocalProblem problem{rows, columns};
  for (std::uint32_t i = 0; i < rows; ++i) {
    for (std::uint32_t j = 0; j < columns; ++j) problem.set(i, j, x(i, j));
    problem.set_target(i, y[i] + 0.01 * bell(random));
  }
  return problem;
}

TEST(LeastSquares, agrees_with_doubles_up_to_condition_1000) {
  std::mt19937_64 random{1};
  double hardest = 0;
  for (const std::uint32_t columns : {1u, 2u, 8u, 16u, 32u}) {
    for (const double wanted : {1.0, 10.0, 100.0, 300.0, 900.0}) {
      for (const std::uint32_t rows : {40u, 100u, 1000u}) {
        const LocalProblem problem = conditioned(rows, columns, wanted, random);
        const LeastSquaresSpec spec{.nominal_rows = rows, .ridge_q24 = k_ridge_q24_min};
        const double met = condition(problem.x(), spec);
        const VectorXd exact = solve_double(problem.x(), problem.y(), spec);
        if (met > 1000 || exact.cwiseAbs().maxCoeff() > 60) continue;
        hardest = std::max(hardest, met);
        std::vector<std::uint16_t> names;
        const VectorXd got = from_q24(solve_fixed(spec, problem.view(names)));
        EXPECT_LT((got - exact).cwiseAbs().maxCoeff(), std::ldexp(1, met < 100 ? -18 : -10))
            << columns << " columns, condition " << met;
      }
    }
  }
  EXPECT_GT(hardest, 600);
}

TEST(LeastSquares, holds_its_bound_on_wild_data) {
  std::mt19937_64 random{2};
  double worst[2] = {0, 0}, hardest[2] = {0, 0};
  for (int repeat = 0; repeat < 600; ++repeat) {
    const auto columns = static_cast<std::uint32_t>(1 + random() % 32),
               rows = static_cast<std::uint32_t>(random() % 130);
    const LocalProblem problem = wild_problem(rows, columns, random);
    const bool least = repeat % 2 == 1;
    const LeastSquaresSpec spec{.nominal_rows = std::max(rows, 1u), .ridge_q24 = least ? k_ridge_q24_min : 32};
    std::vector<std::uint16_t> names;
    const VectorXd got = from_q24(solve_fixed(spec, problem.view(names)));
    const VectorXd exact = solve_double(problem.x(), problem.y(), spec);
    if (exact.size() == 0 || exact.cwiseAbs().maxCoeff() > 60) continue;
    hardest[least] = std::max(hardest[least], condition(problem.x(), spec));
    worst[least] = std::max(worst[least], (got - exact).cwiseAbs().maxCoeff());
  }
  EXPECT_LT(worst[0], std::ldexp(1, -10));
  EXPECT_LT(worst[1], std::ldexp(1, -6));
  EXPECT_GT(hardest[0], 3000);
  EXPECT_GT(hardest[1], 6000);
}

/// C D C' of a factor, as doubles.
MatrixXd product(const Factor& factor) {
  const auto size = static_cast<Eigen::Index>(factor.unknown.size());
  MatrixXd c = MatrixXd::Zero(size, size);
  VectorXd d(size);
  for (Eigen::Index i = 0; i < size; ++i) {
    const std::int32_t* const row = factor.triangle + triangle_size(static_cast<std::size_t>(i));
    for (Eigen::Index j = 0; j < i; ++j) c(i, j) = std::ldexp(row[j], -28);
    c(i, i) = std::ldexp(1, -factor.unknown[static_cast<std::size_t>(i)].exponent);
    d[i] = std::ldexp(1, 28) / row[i];
  }
  return c * d.asDiagonal() * c.transpose();
}

TEST(LeastSquaresFactor, of_a_singular_matrix_is_the_matrix_with_a_pivot_lifted_to_the_floor) {
  constexpr std::size_t k_size = 6;
  constexpr std::int32_t k_half = 1 << 27;
  std::vector<std::int32_t> triangle(triangle_size(k_size), k_half);  // every entry 1/2: rank one
  std::vector<Factor::Unknown> unknown(k_size);
  const Factor factor{triangle.data(), unknown};
  factorise(factor);
  const MatrixXd lifted = product(factor) - MatrixXd::Constant(k_size, k_size, 0.5);
  EXPECT_LT(std::abs(lifted(0, 0)), std::ldexp(1, -27));
  for (Eigen::Index i = 1; i < 6; ++i) EXPECT_NEAR(lifted(i, i), std::ldexp(1, -23), std::ldexp(1, -26)) << i;
  EXPECT_LT((lifted - MatrixXd(lifted.diagonal().asDiagonal())).cwiseAbs().maxCoeff(), std::ldexp(1, -26));
}

TEST(LeastSquaresFactor, solves_what_it_factorised) {
  std::mt19937_64 random{8};
  for (int repeat = 0; repeat < 200; ++repeat) {
    const auto size = static_cast<Eigen::Index>(1 + random() % 32);
    const MatrixXd q = orthogonal(size, size, random);
    VectorXd values(size);
    for (auto& v : values.reshaped()) v = std::ldexp(1, -static_cast<int>(random() % 14));
    MatrixXd m = q * values.asDiagonal() * q.transpose();
    const VectorXd root = m.diagonal().cwiseSqrt();
    m = (0.9 * root.cwiseInverse().asDiagonal() * m * root.cwiseInverse().asDiagonal()).eval();
    std::vector<std::int32_t> triangle;
    for (Eigen::Index i = 0; i < size; ++i) {
      for (Eigen::Index j = 0; j <= i; ++j)
        triangle.push_back(static_cast<std::int32_t>(std::lround(std::ldexp(m(i, j), 28))));
    }
    std::vector<Factor::Unknown> unknown(static_cast<std::size_t>(size));
    const Factor factor{triangle.data(), unknown};
    factorise(factor);
    EXPECT_LT((product(factor) - m).cwiseAbs().maxCoeff(), std::ldexp(32, -28));
    VectorXd right(size);
    for (Eigen::Index i = 0; i < size; ++i) {
      std::int32_t& z = unknown[static_cast<std::size_t>(i)].z;
      z = static_cast<std::int32_t>(random() % (1u << 28)) - (1 << 27);
      right[i] = z;
    }
    const int shift = solve(factor);
    VectorXd got(size);
    for (Eigen::Index i = 0; i < size; ++i) got[i] = std::ldexp(unknown[static_cast<std::size_t>(i)].z, shift);
    EXPECT_LT((product(factor) * got - right).cwiseAbs().maxCoeff(), std::ldexp(1, -8) * right.cwiseAbs().maxCoeff());
  }
}

TEST(LeastSquares, around_a_centre_is_the_fit_of_the_residual) {
  std::mt19937_64 random{3};
  for (int repeat = 0; repeat < 50; ++repeat) {
    const LocalProblem problem = bell_problem(100, 8, random);
    const LeastSquaresSpec spec{.nominal_rows = 100};
    std::vector<std::int32_t> centre(8);
    for (auto& c : centre) c = static_cast<std::int32_t>(random() % (1u << 25)) - (1 << 24);
    std::vector<std::uint16_t> names;
    const VectorXd got = from_q24(solve_fixed(spec, problem.view(names), centre));
    const VectorXd exact = solve_double(problem.x(), problem.y() - problem.x() * from_q24(centre), spec);
    EXPECT_LT((got - exact).cwiseAbs().maxCoeff(), std::ldexp(1, -18));
  }
}

TEST(LeastSquares, fewer_rows_than_columns_still_fit) {
  std::mt19937_64 random{4};
  const LocalProblem problem = bell_problem(5, 16, random);
  const LeastSquaresSpec spec{.nominal_rows = 5};
  std::vector<std::uint16_t> names;
  const VectorXd got = from_q24(solve_fixed(spec, problem.view(names)));
  EXPECT_LT((got - solve_double(problem.x(), problem.y(), spec)).cwiseAbs().maxCoeff(), std::ldexp(1, -14));
}

TEST(LeastSquares, the_ridge_follows_the_nominal_rows_not_the_held_ones) {
  std::mt19937_64 random{5};
  const LocalProblem problem = bell_problem(20, 4, random);
  const LeastSquaresSpec spec{.nominal_rows = 1000, .ridge_q24 = 1 << 14};
  std::vector<std::uint16_t> names;
  const VectorXd got = from_q24(solve_fixed(spec, problem.view(names)));
  EXPECT_LT((got - solve_double(problem.x(), problem.y(), spec)).cwiseAbs().maxCoeff(), std::ldexp(1, -18));
}

TEST(LeastSquares, more_rows_than_nominal_uses_the_first) {
  std::mt19937_64 random{6};
  const LocalProblem problem = bell_problem(60, 4, random);
  const LeastSquaresSpec spec{.nominal_rows = 40};
  std::vector<std::uint16_t> names;
  const VectorXd got = from_q24(solve_fixed(spec, problem.view(names)));
  const VectorXd exact = solve_double(problem.x().topRows(40), problem.y().head(40), spec);
  EXPECT_LT((got - exact).cwiseAbs().maxCoeff(), std::ldexp(1, -18));
}

TEST(LeastSquares, coefficients_beyond_64_saturate) {
  LocalProblem problem{10, 1};
  for (std::uint32_t i = 0; i < 10; ++i) {
    problem.at(i, 0) = i % 2 == 0 ? 100 : -100;
    problem.at(i, 1) = i % 2 == 0 ? 32767 : -32768;
  }
  std::vector<std::uint16_t> names;
  EXPECT_EQ(solve_fixed({.nominal_rows = 10, .ridge_q24 = 8}, problem.view(names)),
            std::vector<std::int32_t>{64 << 24});
}

TEST(LeastSquares, adversarial_centres_never_leave_the_range) {
  std::mt19937_64 random{7};
  const std::int32_t ends[] = {INT32_MIN, INT32_MAX, 0, 1 << 30, -(1 << 30)};
  for (int repeat = 0; repeat < 300; ++repeat) {
    const auto columns = static_cast<std::uint32_t>(1 + random() % 32),
               rows = static_cast<std::uint32_t>(random() % 1100);
    const LocalProblem problem = wild_problem(rows, columns, random);
    std::vector<std::int32_t> centre(columns);
    for (auto& c : centre) c = ends[random() % 5];
    std::vector<std::uint16_t> names;
    const LeastSquaresSpec spec{.nominal_rows = static_cast<std::uint32_t>(1 + random() % 1024),
                                .ridge_q24 = repeat % 2 == 0 ? k_ridge_q24_min : k_ridge_q24_max};
    for (const std::int32_t b : solve_fixed(spec, problem.view(names), centre)) EXPECT_LE(std::abs(b), 64 << 24);
  }
}

TEST(LeastSquares, agrees_with_doubles_on_real_users) {
  for (const std::string name : {"wine_quality", "beijing_air", "wisdm_activity", "uji_indoorloc"}) {
    const auto users = read_real_users(name);
    if (users.empty()) GTEST_SKIP() << name << " is not in " << SOTTO_DATA_DIR;
    const Standardiser standardiser{users};
    double worst = 0;
    int seen = 0;
    for (const auto& [user, rows] : users) {
      if (++seen > 100) break;
      const LocalProblem all = standardiser.problem(rows);
      // Eight columns spread over the features; in uji most are constant for a user, in beijing lags nearly repeat.
      std::vector<std::uint16_t> chosen(8), offsets(8);
      for (std::uint32_t j = 0; j < 8; ++j) chosen[j] = static_cast<std::uint16_t>(j * (all.features() / 8));
      const ColumnView view = gather_columns(all.samples(), chosen, offsets, {});
      const LeastSquaresSpec spec{.nominal_rows = std::max<std::uint32_t>(40, all.rows())};
      MatrixXd x(all.rows(), 8);
      for (Eigen::Index j = 0; j < 8; ++j) x.col(j) = all.x().col(chosen[static_cast<std::size_t>(j)]);
      const VectorXd exact = solve_double(x, all.y(), spec);
      if (exact.cwiseAbs().maxCoeff() > 60) continue;
      worst = std::max(worst, (from_q24(solve_fixed(spec, view)) - exact).cwiseAbs().maxCoeff());
    }
    EXPECT_LT(worst, std::ldexp(1, -10)) << name;
    RecordProperty(name, std::to_string(worst));
  }
}

}  // namespace
}  // namespace sotto

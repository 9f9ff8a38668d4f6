// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Projections by signs, independent and subsampled Hadamard, against doubles with the same matrix.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "local_problem.hpp"
#include "sotto/local/hadamard_projection.hpp"

namespace sotto {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

const std::uint8_t k_seed[32] = {9, 2, 6};

CoinLabel label_of(std::uint32_t round) { return {k_seed, 0, static_cast<std::uint16_t>(round)}; }

struct Projection {
  std::uint32_t block;
  std::size_t p;
  std::uint32_t round;

  [[nodiscard]] std::vector<std::int32_t> integers(const Samples& samples, std::uint32_t row = 0) const {
    std::vector<std::int32_t> z(p, 3);
    std::vector<std::byte> work(hadamard_project_work_bytes(block));
    hadamard_project(label_of(round), block, samples, row, work, z);
    return z;
  }
  [[nodiscard]] VectorXd of(const Samples& samples, std::uint32_t row = 0) const {
    return from_q24(integers(samples, row));
  }
  [[nodiscard]] MatrixXd matrix(std::uint32_t features) const {
    MatrixXd phi(static_cast<Index>(p), features);
    std::vector<std::int8_t> signs(p);
    std::vector<std::byte> work(hadamard_project_work_bytes(block));
    for (std::uint32_t i = 0; i < features; ++i) {
      EXPECT_EQ(hadamard_projection_column(label_of(round), block, i, work, signs), Status::ok);
      for (std::size_t j = 0; j < p; ++j) phi(static_cast<Index>(j), i) = signs[j];
    }
    return phi / std::sqrt(static_cast<double>(p));
  }
};

Projection random_projection(std::mt19937_64& random) {
  const std::uint32_t block = 32u << (random() % 8);
  const std::size_t p = 8 * (1 + random() % 32);
  return {block, std::min<std::size_t>(p, block), static_cast<std::uint32_t>(random() % 65536)};
}

/// Two rows of length at most 1: all features, few, one, all equal.
LocalProblem short_rows(std::uint32_t features, std::mt19937_64& random) {
  std::normal_distribution<double> bell;
  LocalProblem problem{2, features};
  const auto kind = random() % 4;
  for (std::uint32_t i = 0; i < 2; ++i) {
    VectorXd x = VectorXd::Zero(features);
    for (std::uint32_t j = 0; j < features; ++j) {
      if (kind == 0 || (kind == 1 && random() % 8 == 0)) x[j] = bell(random);
      if (kind == 3) x[j] = 1;
    }
    if (kind == 2) x[static_cast<Index>(random() % features)] = random() % 2 == 0 ? 1 : -1;
    if (x.norm() > 0) x *= 1 / x.norm();
    for (std::uint32_t j = 0; j < features; ++j) {
      problem.at(i, j) = static_cast<Q15>(std::min(32767.0, std::trunc(x[j] * 32768)));
    }
  }
  return problem;
}

TEST(Projection, inner_products_agree_with_doubles) {
  std::mt19937_64 random{1};
  double worst = 0;
  for (int repeat = 0; repeat < 400; ++repeat) {
    const Projection projection = random_projection(random);
    const auto features = static_cast<std::uint32_t>(1 + random() % (repeat % 10 == 0 ? 4096 : 300));
    const LocalProblem problem = short_rows(features, random);
    const MatrixXd exact = projection.matrix(features) * problem.x().transpose();
    const VectorXd z0 = projection.of(problem.samples(), 0), z1 = projection.of(problem.hooked(), 1);
    worst = std::max({worst, std::abs(z0.dot(z1) - exact.col(0).dot(exact.col(1))),
                      std::abs(z0.squaredNorm() - exact.col(0).squaredNorm())});
    EXPECT_LT((z0 - exact.col(0)).cwiseAbs().maxCoeff(), std::ldexp(1.01, -25) + std::ldexp(91, -27)) << repeat;
  }
  RecordProperty("worst", std::to_string(worst));
  EXPECT_LT(worst, std::ldexp(1, -12));
}

TEST(Projection, inner_products_agree_with_the_most_features) {
  std::mt19937_64 random{2};
  for (const std::uint32_t block : {32u, 4096u}) {
    const Projection projection{block, 8, 5};
    const LocalProblem problem = short_rows(k_features_max, random);
    const MatrixXd exact = projection.matrix(k_features_max) * problem.x().transpose();
    const VectorXd z0 = projection.of(problem.samples(), 0), z1 = projection.of(problem.samples(), 1);
    EXPECT_LT(std::abs(z0.dot(z1) - exact.col(0).dot(exact.col(1))), std::ldexp(1, -12)) << block;
  }
}

// Every coordinate of a unit vector along a row of Phi adds up: the largest that |x| <= 1 can give.
TEST(Projection, nothing_saturates_within_the_unit_ball) {
  for (const std::uint32_t block : {32u, 4096u}) {
    const Projection projection{block, 8, 6};
    const MatrixXd phi = projection.matrix(k_features_max);
    LocalProblem problem{1, k_features_max};
    for (std::uint32_t j = 0; j < k_features_max; ++j) problem.at(0, j) = phi(0, j) > 0 ? 128 : -128;
    const VectorXd z = projection.of(problem.samples());
    EXPECT_NEAR(z[0], k_features_max / 256.0 / std::sqrt(8.0), 1e-6);
    EXPECT_GT(z[0], 90.5);
  }
}

TEST(Projection, any_numbers_have_their_saturated_answer) {
  std::mt19937_64 random{3};
  for (int repeat = 0; repeat < 200; ++repeat) {
    const Projection projection = random_projection(random);
    const auto features = static_cast<std::uint32_t>(1 + random() % 500);
    LocalProblem problem = wild_problem(1, features, random);
    const MatrixXd phi = projection.matrix(features);
    if (repeat % 3 == 0) {
      for (std::uint32_t j = 0; j < features; ++j) problem.at(0, j) = phi(0, j) > 0 ? Q15{32767} : Q15{-32768};
    }
    const VectorXd exact = phi * problem.x().row(0).transpose();
    const VectorXd z = projection.of(repeat % 2 == 0 ? problem.samples() : problem.hooked());
    for (Index j = 0; j < z.size(); ++j) {
      EXPECT_NEAR(z[j], std::clamp(exact[j], -127.99999994, 127.99999994), 2e-6) << repeat;
    }
  }
}

/// Mean and variance of |z|^2 over matrices.
struct Spread {
  double mean, variance;
};
Spread spread(Projection projection, const LocalProblem& problem, std::uint32_t matrices) {
  double sum = 0, square = 0;
  for (projection.round = 0; projection.round < matrices; ++projection.round) {
    const double length = projection.of(problem.samples()).squaredNorm();
    sum += length;
    square += length * length;
  }
  return {sum / matrices, square / matrices - sum * sum / matrices / matrices};
}

/// Vectors that a transform could do badly: single, paired, on subgroups and their shifts, first places of blocks, all.
std::vector<std::function<double(std::uint32_t)>> hard_vectors() {
  return {[](std::uint32_t i) { return i == 5 ? 1.0 : 0.0; },
          [](std::uint32_t i) { return i == 0 || i == 64 ? 1.0 : 0.0; },
          [](std::uint32_t i) { return i < 4 ? 1.0 : 0.0; },
          [](std::uint32_t i) { return i % 32 == 0 ? 1.0 : 0.0; },
          [](std::uint32_t i) { return i % 16 == 3 ? 1.0 : 0.0; },
          [](std::uint32_t i) { return i % 2 == 0 ? 1.0 : -0.3; },
          [](std::uint32_t) { return 1.0; },
          [](std::uint32_t i) { return std::pow(0.8, i); }};
}

TEST(Projection, lengths_spread_as_the_header_says_for_every_kind_of_vector) {
  constexpr std::uint32_t k_features = 128, k_matrices = 6000;
  constexpr double k_p = 32;
  for (const std::uint32_t block : {32u, 64u, 128u}) {
    int which = 0;
    for (const auto& shape : hard_vectors()) {
      LocalProblem problem{1, k_features};
      double norm = 0;
      for (std::uint32_t i = 0; i < k_features; ++i) norm = std::hypot(norm, shape(i));
      for (std::uint32_t i = 0; i < k_features; ++i) problem.set(0, i, shape(i) / norm);
      const VectorXd x = problem.x().row(0);
      const double one = x.squaredNorm(), fourth = x.array().pow(4).sum();
      double within = 0;  // what a sample without replacement saves
      for (std::uint32_t first = 0; first < k_features; first += block) {
        const VectorXd part = x.segment(first, block);
        within += std::pow(part.squaredNorm(), 2) - part.array().pow(4).sum();
      }
      const double independent = 2 / k_p * (one * one - fourth);
      const double expected = independent - 2 / k_p * (k_p - 1) / (block - 1) * within;
      EXPECT_LE(expected, independent + 1e-12);
      const Spread found = spread({block, static_cast<std::size_t>(k_p), 0}, problem, k_matrices);
      // Five standard errors of the mean: alpha below 1e-6 a line. The variance has heavier tails: one part in four.
      EXPECT_NEAR(found.mean, one, 5 * std::sqrt(expected / k_matrices) + 1e-6) << block << ' ' << which;
      EXPECT_NEAR(found.variance, expected, 0.25 * expected + 1e-9) << block << ' ' << which;
      ++which;
    }
  }
}

// The first 2^k features, whose places form a subgroup: where one round of the transform has its longest tails.
TEST(Projection, lengths_are_seldom_off_by_half) {
  constexpr std::uint32_t k_features = 256, k_matrices = 20000;
  for (const std::uint32_t block : {64u, 256u}) {
    for (std::uint32_t held = 8; held <= k_features; held *= 2) {
      LocalProblem problem{1, k_features};
      for (std::uint32_t i = 0; i < held; ++i) problem.set(0, i, 1 / std::sqrt(held));
      int off = 0;
      for (std::uint32_t round = 0; round < k_matrices; ++round) {
        const Projection projection{block, 64, round};
        off += std::abs(projection.of(problem.samples()).squaredNorm() - 1) > 0.5 ? 1 : 0;
      }
      // At most 0.65 % measured over 60,000 matrices; five standard errors more, alpha below 1e-6 a line.
      EXPECT_LT(off / double{k_matrices}, 0.0065 + 5 * std::sqrt(0.0065 / k_matrices)) << block << ' ' << held;
    }
  }
}

TEST(Projection, inner_products_are_unbiased) {
  std::mt19937_64 random{4};
  for (const std::uint32_t block : {64u, 256u}) {
    const LocalProblem problem = short_rows(200, random);
    constexpr std::uint32_t k_matrices = 3000;
    double sum = 0;
    for (std::uint32_t round = 0; round < k_matrices; ++round) {
      const Projection projection{block, 64, round};
      sum += projection.of(problem.samples(), 0).dot(projection.of(problem.samples(), 1));
    }
    // Var <= 2/p for unit vectors; five standard errors: alpha below 1e-6.
    EXPECT_NEAR(sum / k_matrices, problem.x().row(0).dot(problem.x().row(1)), 5 * std::sqrt(2.0 / 64 / k_matrices));
  }
}

}  // namespace
}  // namespace sotto

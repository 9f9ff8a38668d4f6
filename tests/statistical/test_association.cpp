// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The test of association in cross-tabs under privacy noise: how often it rejects without association and with it. The
// noise of hashing is drawn exactly: supports of cells are independent given the cells that devices are in.
#include "sotto/analyzer/solve/association.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace sotto::analyzer {
namespace {

constexpr Eigen::Index k_rows = 8, k_columns = 12;

Eigen::MatrixXd joint(double strength) {
  Eigen::VectorXd a(k_rows), b(k_columns);
  for (Eigen::Index i = 0; i < k_rows; ++i) a[i] = 1.0 + static_cast<double>(i % 3);
  for (Eigen::Index j = 0; j < k_columns; ++j) b[j] = 1.0 + static_cast<double>(j % 4);
  Eigen::MatrixXd out = a / a.sum() * b.transpose() / b.sum(), peaks = Eigen::MatrixXd::Zero(k_rows, k_columns);
  for (Eigen::Index i = 0; i < k_rows; ++i) peaks(i, i * k_columns / k_rows) = out(i, i * k_columns / k_rows);
  return (1 - strength) * out + strength * peaks / peaks.sum();
}

double rejections(double strength, std::uint64_t devices, const OracleNoise& noise, int tables) {
  const Eigen::MatrixXd law = joint(strength);
  std::mt19937_64 random(1847);
  int rejected = 0;
  for (int t = 0; t < tables; ++t) {
    Eigen::MatrixXd shares(k_rows, k_columns);
    std::uint64_t left = devices, unheard = devices;
    double mass = 1, support_left = 1;
    for (Eigen::Index i = 0; i < law.size(); ++i) {
      const double p = law(i / k_columns, i % k_columns);
      double supported = 0;
      if (noise.exclusive) {  // reports are multinomial
        const double odds = noise.other + p * (noise.own - noise.other);
        std::binomial_distribution<std::uint64_t> hits(unheard, std::min(1.0, odds / support_left));
        const std::uint64_t count = hits(random);
        unheard -= count;
        support_left -= odds;
        supported = static_cast<double>(count);
      } else {
        std::binomial_distribution<std::uint64_t> held(left, std::min(1.0, p / mass));
        const std::uint64_t count = held(random);
        left -= count;
        mass -= p;
        std::binomial_distribution<std::uint64_t> own(count, noise.own), other(devices - count, noise.other);
        supported = static_cast<double>(own(random) + other(random));
      }
      shares(i / k_columns, i % k_columns) =
          (supported / static_cast<double>(devices) - noise.other) / (noise.own - noise.other);
    }
    rejected += association_of(shares, noise, static_cast<double>(devices)).p_value <= 0.05 ? 1 : 0;
  }
  return static_cast<double>(rejected) / tables;
}

// 600 tables: three standard deviations of a share of 5 % are 2.7 %.
TEST(Association, independence_is_rejected_in_2_to_8_percent_of_tables) {
  for (const std::uint64_t devices : {10000ull, 100000ull}) {
    const OracleNoise hashed{0.5135, 0.125, false};           // epsilon 2
    const OracleNoise direct{54.6 / 150.6, 1 / 150.6, true};  // epsilon 4 over 97 categories
    EXPECT_NEAR(rejections(0, devices, hashed, 600), 0.05, 0.03) << devices;
    EXPECT_NEAR(rejections(0, devices, direct, 600), 0.05, 0.03) << devices;
  }
}

TEST(Association, a_strong_association_is_seen_and_a_weak_one_needs_devices) {
  const OracleNoise hashed{0.5135, 0.125, false};
  EXPECT_GT(rejections(0.3, 100000, hashed, 50), 0.99);
  EXPECT_GT(rejections(0.1, 100000, hashed, 50), rejections(0.1, 10000, hashed, 50));
}

TEST(Association, cramers_v_is_that_of_the_table_where_noise_is_small) {
  const OracleNoise exact{1 - 1e-9, 1e-12, true};
  EXPECT_NEAR(association_of(joint(0), exact, 1e9).cramers_v, 0, 1e-3);
  Eigen::MatrixXd diagonal = Eigen::MatrixXd::Zero(3, 3);
  diagonal.diagonal().setConstant(1.0 / 3);
  EXPECT_NEAR(association_of(diagonal, exact, 1e9).cramers_v, 1, 1e-2);
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The Lasso in fixed point against converged coordinate descent in doubles at the same lambda, on the same Q15 numbers.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "lasso_agreement.hpp"
#include "real_users.hpp"

namespace sotto {
namespace {

std::uint32_t to_q24(double v) { return static_cast<std::uint32_t>(std::lround(v * k_q24)); }

/// Features N(0, 1/16), each correlated with its neighbour; the target 0.2 times eight of them and noise, brought to sd 1/4.
LocalProblem chain_problem(std::uint32_t rows, std::uint32_t features, double correlation, std::mt19937_64& random) {
  std::normal_distribution<double> bell;
  LocalProblem problem{rows, features};
  for (std::uint32_t i = 0; i < rows; ++i) {
    double target = bell(random), x = 0;
    for (std::uint32_t j = 0; j < features; ++j) {
      x = correlation * (j == 0 ? 0 : x) + std::sqrt(j == 0 ? 1 : 1 - correlation * correlation) * bell(random);
      problem.set(i, j, x / 4);
      if (j % (features / 8) == 3) target += 0.2 * x;
    }
    problem.set_target(i, target / 4 / 1.15);
  }
  return problem;
}

void expect_agreement(const Agreement& agreement, const std::string& name) {
  EXPECT_GE(agreement.support_rate(), 0.99) << name << ": " << agreement.same_support << " of " << agreement.users;
  // Full scale is 64. Nearly all users are within 2^-10 of 1 as well; the others hold columns that are all but proportional
  // (radio signals of neighbouring antennas), where the objective hardly tells one division between them from another.
  EXPECT_LE(agreement.worst, std::ldexp(64, -10)) << name;
  EXPECT_GE(agreement.close_rate(), 0.98) << name;
  EXPECT_LE(agreement.worst_objective, 1e-4) << name;
}

TEST(Lasso, agrees_with_doubles_on_synthetic_users) {
  std::mt19937_64 random{41};
  Agreement independent, chained, tenth;
  for (int user = 0; user < 60; ++user) {
    const LocalProblem a = chain_problem(100, 256, 0, random), b = chain_problem(100, 256, 0.9, random);
    const ScreenedProblem p{a, 100}, q{b, 100};
    const std::uint32_t lambda = lambda_rule_q24(256, 100, k_unit_q15, 7123, 16384);
    independent.add(p, {.nominal_rows = 100, .lambda_q24 = lambda});
    chained.add(q, {.nominal_rows = 100, .lambda_q24 = lambda});
    tenth.add(p, {.nominal_rows = 100, .lambda_q24 = to_q24(p.lambda_max() / 10)});
  }
  expect_agreement(independent, "independent features");
  expect_agreement(chained, "correlation 0.9");
  expect_agreement(tenth, "a tenth of the largest lambda");
}

class LassoOnRealUsers : public testing::TestWithParam<const char*> {};

// Offset and scale are the pooled mean and four standard deviations; lambda follows the rule for noise of half the target's.
TEST_P(LassoOnRealUsers, agrees_with_doubles) {
  const auto users = read_real_users(GetParam());
  if (users.empty()) GTEST_SKIP() << GetParam() << " is not in " << SOTTO_DATA_DIR;
  const Standardiser standardiser{users};
  std::vector<std::uint32_t> sizes;
  for (const auto& [user, rows] : users) sizes.push_back(static_cast<std::uint32_t>(rows.size()));
  std::nth_element(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(sizes.size() / 2), sizes.end());
  const std::uint32_t nominal = sizes[sizes.size() / 2];
  Agreement agreement;
  for (const auto& [user, rows] : users) {
    const LocalProblem all = standardiser.problem(rows);
    const ScreenedProblem problem{all, nominal};
    const std::uint32_t lambda = lambda_rule_q24(all.features(), nominal, k_unit_q15, 4096);
    agreement.add(problem, {.nominal_rows = nominal, .lambda_q24 = lambda});
  }
  expect_agreement(agreement, GetParam());
  RecordProperty("support_rate", std::to_string(agreement.support_rate()));
  RecordProperty("close_rate", std::to_string(agreement.close_rate()));
  RecordProperty("worst", std::to_string(agreement.worst));
}
INSTANTIATE_TEST_SUITE_P(Sets, LassoOnRealUsers,
                         testing::Values("uji_indoorloc", "beijing_air", "wine_quality", "wisdm_activity"),
                         [](const auto& set) { return std::string{set.param}; });

// Whatever the data: the objective is not above that of b = 0, coefficients are in range, and every reader gives the same bits.
TEST(Lasso, is_total_and_the_same_through_every_view) {
  std::mt19937_64 random{42};
  for (int trial = 0; trial < 400; ++trial) {
    const auto rows = static_cast<std::uint32_t>(random() % (trial % 20 == 0 ? 1025 : 60));
    const auto features = static_cast<std::uint32_t>(random() % (trial % 10 == 0 ? 129 : 40));
    const LocalProblem p = trial % 3 == 0 ? bell_problem(rows, features, random) : wild_problem(rows, features, random);
    const LassoSpec spec{.nominal_rows = static_cast<std::uint32_t>(1 + random() % 1024),
                         .lambda_q24 = trial % 5 == 0 ? 0u : static_cast<std::uint32_t>(random()) >> (random() % 32),
                         .visits = static_cast<std::uint32_t>(random() % 3000)};
    std::vector<std::uint16_t> columns;
    const ColumnView in_place = p.view(columns);
    std::vector<std::byte> work(lasso_work_bytes(rows, features));
    std::vector<std::int32_t> beta(features, 77), again(features, 78);
    lasso(spec, in_place, work, beta);

    std::vector<std::uint16_t> offsets(features);
    std::vector<Q15> copy(std::size_t{rows} * (features + 1));
    lasso(spec, copy_columns(p.samples(), columns, offsets, copy), work, again);
    ASSERT_EQ(beta, again) << "trial " << trial;
    lasso(spec, gather_columns(p.hooked(), columns, offsets, copy), work, again);
    ASSERT_EQ(beta, again) << "trial " << trial;

    const Eigen::VectorXd b = from_q24(beta);
    const double lambda = spec.lambda_q24 / k_q24, zero = p.y().squaredNorm() / (2 * spec.nominal_rows);
    const double found = (p.y() - p.x() * b).squaredNorm() / (2 * spec.nominal_rows) + lambda * b.cwiseAbs().sum();
    ASSERT_LE(found, zero * (1 + 1e-5) + 1e-9) << "trial " << trial;
    ASSERT_LE(b.size() == 0 ? 0 : b.cwiseAbs().maxCoeff(), 64) << "trial " << trial;
  }
}

TEST(Lasso, selects_nothing_exactly_from_the_largest_lambda_on) {
  std::mt19937_64 random{43};
  for (int trial = 0; trial < 100; ++trial) {
    const LocalProblem all = bell_problem(40, 64, random);
    const ScreenedProblem p{all, 40};
    const auto selected = [&](double lambda) {
      const auto beta = p.solve_device({.nominal_rows = 40, .lambda_q24 = to_q24(lambda)});
      return std::count_if(beta.begin(), beta.end(), [](std::int32_t b) { return b != 0; });
    };
    EXPECT_EQ(selected(p.lambda_max() * 1.0001), 0);
    // Just below it only those that are all but as strong can follow the first.
    const auto strong = ((p.x().transpose() * p.y()).cwiseAbs() / 40).array() >= p.lambda_max() * 0.998;
    EXPECT_GE(selected(p.lambda_max() * 0.999), 1);
    EXPECT_LE(selected(p.lambda_max() * 0.999), strong.count());
  }
}

TEST(Lasso, the_rule_for_lambda_is_its_formula) {
  std::mt19937_64 random{44};
  for (int trial = 0; trial < 20000; ++trial) {
    const auto d = static_cast<std::uint32_t>(2 + random() % 65534),
               m = static_cast<std::uint32_t>(1 + random() % 1024);
    const auto unit = static_cast<std::uint32_t>(1024 + random() % 31744),
               noise = static_cast<std::uint32_t>(1024 + random() % 31744);
    const auto multiplier = static_cast<std::uint32_t>(3277 + random() % 65536);
    const double exact = multiplier / 32768.0 * (noise / 32768.0) * (unit / 32768.0) * std::sqrt(2 * std::log(d) / m);
    const double given = lambda_rule_q24(d, m, unit, noise, multiplier) / k_q24;
    if (exact > std::ldexp(1, -10)) {
      ASSERT_NEAR(given / exact, 1, std::ldexp(1, -12)) << d << ' ' << m << ' ' << unit << ' ' << noise;
    }
  }
}

}  // namespace
}  // namespace sotto

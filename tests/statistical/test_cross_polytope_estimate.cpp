// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/cross_polytope.hpp"

#include <gtest/gtest.h>

#include "direction_trial.hpp"
#include "sotto/analyzer/propose/cross_polytope.hpp"
#include "sotto/randomize/cross_polytope.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_reports = 40'000;
constexpr double k_alpha = 1e-4;           // of each comparison; the seeds are fixed, so a run repeats
constexpr double k_rotation_bias = .004;   // three sign and Hadamard rounds at D = 64, along x
constexpr double k_rotation_angle = .003;  // 0.15 degrees, across x

Trial trial_of(const CrossPolytopeSpec& spec, const Direction& x, std::uint64_t seed) {
  Certified<CrossPolytopeSpec> certified;
  if (certify(spec, k_epsilon_max, certified) != Status::ok) return {};
  std::vector<std::int32_t> work(std::size_t{1} << spec.log2_size);
  return run_trial(CrossPolytopeAggregate::open(spec).value(), x, k_reports, seed,
                   [&](const CoinLabel& label, PrivateCoins& coins, std::uint32_t& report) {
                     return cross_polytope(certified, label, x.q15, work, coins, report);
                   });
}

void expect_the_laws_error_without_bias(double epsilon, std::uint32_t log2_size, std::uint32_t dimension,
                                        std::size_t shape, std::uint64_t seed) {
  const CrossPolytopeProposal best = propose_cross_polytope(nano(epsilon), log2_size, dimension).value();
  const Direction x = test_directions(dimension)[shape];
  const Trial trial = trial_of(best.spec, x, seed);
  const std::string where =
      "epsilon " + std::to_string(epsilon) + ", dimension " + std::to_string(dimension) + ", " + x.name;
  ASSERT_EQ(trial.mean.used, k_reports) << where;
  EXPECT_NEAR(trial.mean_square / best.error.mean_square(), 1.0, .03) << where;
  EXPECT_LE(std::abs(trial.along - 1.0), along_limit(best.error, k_reports, k_alpha, k_rotation_bias)) << where;
  EXPECT_LE(trial.across_square, across_limit(best.error, k_reports, k_alpha, k_rotation_angle)) << where;
  for (std::size_t j = 0; j < dimension; ++j) {
    // A coordinate's error from the spread of the reports, against its law at the true x_j.
    const double law = std::sqrt(best.error.variance(x.unit[j] * x.unit[j]) / k_reports);
    EXPECT_NEAR(trial.mean.standard_error[j] / law, 1.0, .06) << where << ", coordinate " << j;
  }
}

TEST(CrossPolytopeEstimate, is_unbiased_with_the_stated_error_in_64_dimensions) {
  std::uint64_t seed = 6400;
  for (const double epsilon : {.5, 1., 2., 4., 6., 8.}) {
    for (std::size_t shape = 0; shape < 5; ++shape) expect_the_laws_error_without_bias(epsilon, 6, 64, shape, ++seed);
  }
}

TEST(CrossPolytopeEstimate, is_unbiased_with_the_stated_error_in_256_dimensions) {
  std::uint64_t seed = 25600;
  std::size_t shape = 0;
  for (const double epsilon : {.5, 1., 2., 4., 6., 8.})
    expect_the_laws_error_without_bias(epsilon, 8, 256, shape++ % 5, ++seed);
}

TEST(CrossPolytopeEstimate, is_unbiased_with_the_stated_error_when_padded) {
  std::uint64_t seed = 900;
  for (const double epsilon : {1., 4., 8.}) {
    expect_the_laws_error_without_bias(epsilon, 6, 9, 3, ++seed);
    expect_the_laws_error_without_bias(epsilon, 7, 100, 4, ++seed);
  }
}

TEST(CrossPolytopeEstimate, sees_how_answers_differ) {
  // Half of the devices hold e_1, half -e_1: the mean is 0, and the spread along e_1 is the law's `along`, not `across`.
  const CrossPolytopeProposal best = propose_cross_polytope(nano(8), 6, 64).value();
  CrossPolytopeAggregate both = CrossPolytopeAggregate::open(best.spec).value();
  Certified<CrossPolytopeSpec> certified;
  ASSERT_EQ(certify(best.spec, k_epsilon_max, certified), Status::ok);
  std::vector<Q15> x(64, 0);
  std::vector<std::int32_t> work(64);
  SeededEntropy entropy{77};
  PrivateCoins coins;
  for (std::uint32_t i = 0; i < k_reports; ++i) {
    x[1] = (i & 1u) != 0 ? 32767 : -32767;
    const CoinLabel label{k_study_seed.data(), i + 1, 2};
    std::uint32_t report = 0;
    ASSERT_EQ(coins.begin_report(entropy.source()), Status::ok);
    ASSERT_EQ(cross_polytope(certified, label, x, work, coins, report), Status::ok);
    both.absorb(label, report);
  }
  const VectorMean mean = both.close();
  EXPECT_NEAR(mean.standard_error[1] / std::sqrt(best.error.along / k_reports), 1.0, .02);
  EXPECT_LT(std::abs(mean.mean[1]), 4.0 * mean.standard_error[1]);  // 6e-5
  EXPECT_GT(mean.standard_error[1], 2.0 * mean.noise_error[1]);
}

}  // namespace
}  // namespace sotto::analyzer

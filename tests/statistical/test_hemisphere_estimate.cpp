// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/hemisphere.hpp"

#include <gtest/gtest.h>

#include "direction_trial.hpp"
#include "sotto/randomize/hemisphere.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_reports = 40'000;
constexpr double k_alpha = 1e-4;  // of each comparison; the seeds are fixed, so a run repeats
constexpr double k_codebook_bias =
    .003;  // the byte-made normal against a normal one: .9972 to .9994 for 1- and 2-sparse x
constexpr double k_codebook_angle = .0105;  // 0.60 degrees, worst of all 2-sparse x

/// The decoder's own sums have no squares (they do not depend on the answers), so |z|^2 is measured here.
double measured_square(const HemisphereSpec& spec, const DirectionError& law, std::uint64_t seed) {
  std::vector<std::int8_t> u(spec.dimension);
  double sum = 0.0;
  for (std::uint32_t i = 0; i < k_reports; ++i) {
    hemisphere_codeword(spec, {k_study_seed.data(), (seed << 32) + i + 1, 1}, 1, u.data());
    for (const std::int8_t c : u) sum += static_cast<double>(c) * c;
  }
  return sum / k_reports / (law.scale * law.scale);
}

void expect_the_laws_error_without_bias(double epsilon, std::uint32_t dimension, std::size_t shape,
                                        std::uint64_t seed) {
  HemisphereSpec spec{nano(epsilon), dimension, 0};
  ASSERT_EQ(derive(spec), Status::ok);
  Certified<HemisphereSpec> certified;
  ASSERT_EQ(certify(spec, k_epsilon_max, certified), Status::ok);
  const Direction x = test_directions(dimension)[shape];
  const Trial trial = run_trial(HemisphereAggregate::open(spec).value(), x, k_reports, seed,
                                [&](const CoinLabel& label, PrivateCoins& coins, std::uint32_t& report) {
                                  return hemisphere(certified, label, x.q15, coins, report);
                                });
  const std::string where =
      "epsilon " + std::to_string(epsilon) + ", dimension " + std::to_string(dimension) + ", " + x.name;
  ASSERT_EQ(trial.mean.used, k_reports) << where;
  const DirectionError law = direction_error(spec);
  const double mean_square = measured_square(spec, law, seed) - 2.0 * trial.along + 1.0;
  EXPECT_NEAR(mean_square / law.mean_square(), 1.0, .03) << where;
  EXPECT_LE(std::abs(trial.along - 1.0), along_limit(law, k_reports, k_alpha, k_codebook_bias)) << where;
  EXPECT_LE(trial.across_square, across_limit(law, k_reports, k_alpha, k_codebook_angle)) << where;
}

TEST(HemisphereEstimate, is_unbiased_with_the_stated_error_in_64_dimensions) {
  std::uint64_t seed = 640;
  for (const double epsilon : {.5, 1., 4.}) {
    for (std::size_t shape = 0; shape < 5; ++shape) expect_the_laws_error_without_bias(epsilon, 64, shape, ++seed);
  }
}

TEST(HemisphereEstimate, is_unbiased_with_the_stated_error_in_256_dimensions) {
  std::uint64_t seed = 2560;
  for (const double epsilon : {.5, 1., 4.}) {
    for (std::size_t shape = 0; shape < 5; ++shape) expect_the_laws_error_without_bias(epsilon, 256, shape, ++seed);
  }
}

}  // namespace
}  // namespace sotto::analyzer

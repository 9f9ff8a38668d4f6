// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <bit>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/special_functions/binomial.hpp>

#include "direction_trial.hpp"
#include "sotto/analyzer/aggregate/block.hpp"
#include "sotto/analyzer/propose/block.hpp"
#include "sotto/randomize/block.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_reports = 40'000;
constexpr double k_alpha = 1e-4;  // of each comparison; the seeds are fixed, so a run repeats

double chi_square_limit(double degrees) {
  return boost::math::quantile(boost::math::complement(boost::math::chi_squared(degrees), k_alpha));
}

/// Devices whose coordinate j is -1 with probability j / p, drawn anew for every device.
void expect_the_laws_error_without_bias(double epsilon, std::uint32_t coordinates, std::uint64_t seed) {
  const BlockProposal best = propose_block(nano(epsilon)).value();
  const std::uint32_t width = best.spec.width;
  Certified<BlockSpec> certified;
  ASSERT_EQ(certify(best.spec, k_epsilon_max, certified), Status::ok);
  BlockAggregate aggregate = BlockAggregate::open(best.spec, coordinates).value();
  SeededEntropy entropy{seed}, world{seed + 1};
  PrivateCoins coins;
  std::vector<double> truth(coordinates, 0.0), shown(coordinates, 0.0), reported(coordinates, 0.0);
  std::vector<double> flips(width + 1, 0.0);
  for (std::uint32_t i = 0; i < k_reports; ++i) {
    const CoinLabel label{k_study_seed.data(), (seed << 32) + i + 1, 3};
    std::array<std::uint32_t, k_block_width_max> held;
    block_coordinates(label, coordinates, std::span{held}.first(width));
    std::uint32_t x = 0, report = 0;
    for (std::uint32_t b = 0; b < width; ++b) {
      const bool negative = (world.word() >> 8) % coordinates < held[b];
      x |= std::uint32_t{negative} << b;
      truth[held[b]] += negative ? -1.0 : 1.0;
      shown[held[b]] += 1.0;
    }
    ASSERT_EQ(coins.begin_report(entropy.source()), Status::ok);
    ASSERT_EQ(block(certified, x, coins, report), Status::ok);
    ASSERT_TRUE(aggregate.absorb(label, report));
    flips[static_cast<std::size_t>(std::popcount(x ^ report))] += 1.0;
  }

  const VectorMean mean = aggregate.close();
  ASSERT_EQ(mean.used, k_reports);
  double chi_square = 0.0;
  for (std::uint32_t j = 0; j < coordinates; ++j) {
    // Given what the devices of this coordinate hold, the noise of one report has variance 1/m^2 - 1.
    const double noise = std::sqrt((1.0 / (best.agreement * best.agreement) - 1.0) / shown[j]);
    const double off = (mean.mean[j] - truth[j] / shown[j]) / noise;
    chi_square += off * off;
    EXPECT_NEAR(mean.standard_error[j] * best.agreement * std::sqrt(shown[j]),
                std::sqrt(1.0 - std::pow(mean.mean[j] * best.agreement, 2)), 1e-3);
  }
  const boost::math::chi_squared law(coordinates);
  EXPECT_LE(chi_square, chi_square_limit(coordinates)) << "biased or too noisy, epsilon " << epsilon;
  EXPECT_GE(chi_square, boost::math::quantile(law, k_alpha)) << "less noise than stated, epsilon " << epsilon;

  // The number of flipped signs has the channel's exact law.
  const TwoLevel c = channel(best.spec);
  const double p = c.threshold / 4294967296.0;
  double flip_square = 0.0, cells = 0.0, rest_expected = 0.0, rest_seen = 0.0;
  for (std::uint32_t i = 0; i <= width; ++i) {
    const double words = boost::math::binomial_coefficient<double>(width, i);
    const double expected =
        k_reports * words * (i <= best.spec.flips ? p / c.inside : (1.0 - p) / (c.outcomes - c.inside));
    if (expected < 10.0) {
      rest_expected += expected;
      rest_seen += flips[i];
      continue;
    }
    flip_square += (flips[i] - expected) * (flips[i] - expected) / expected;
    cells += 1.0;
  }
  if (rest_expected > 1.0) {
    flip_square += (rest_seen - rest_expected) * (rest_seen - rest_expected) / rest_expected;
    cells += 1.0;
  }
  EXPECT_LE(flip_square, chi_square_limit(cells - 1.0)) << "epsilon " << epsilon;
}

TEST(BlockEstimate, is_unbiased_with_the_stated_error_for_one_sign) { expect_the_laws_error_without_bias(1, 20, 31); }
TEST(BlockEstimate, is_unbiased_with_the_stated_error_for_two_signs) { expect_the_laws_error_without_bias(2, 33, 32); }
TEST(BlockEstimate, is_unbiased_with_the_stated_error_for_four_signs) { expect_the_laws_error_without_bias(4, 50, 33); }
TEST(BlockEstimate, is_unbiased_with_the_stated_error_for_twenty_four_signs) {
  expect_the_laws_error_without_bias(8, 100, 34);
}
TEST(BlockEstimate, is_unbiased_when_the_block_is_everything) { expect_the_laws_error_without_bias(8, 24, 35); }

TEST(BlockCoordinates, are_uniform_singly_and_in_pairs) {
  constexpr std::uint32_t k_coordinates = 12, k_width = 4;
  std::vector<double> single(k_coordinates, 0.0), pair(k_coordinates * k_coordinates, 0.0);
  for (std::uint32_t i = 0; i < k_reports; ++i) {
    std::array<std::uint32_t, k_width> held;
    block_coordinates({k_study_seed.data(), i + 1, 4}, k_coordinates, held);
    std::ranges::sort(held);
    for (std::uint32_t a = 0; a < k_width; ++a) {
      single[held[a]] += 1.0;
      for (std::uint32_t b = a + 1; b < k_width; ++b) pair[held[a] * k_coordinates + held[b]] += 1.0;
    }
  }
  // Four of twelve without replacement: counts of a subset are negatively correlated, so each quadratic form is scaled by the
  // one eigenvalue that the symmetric group leaves (singles), or bounded cell by cell (pairs).
  const double expected = k_reports * double{k_width} / k_coordinates;
  double square = 0.0;
  for (const double n : single) square += (n - expected) * (n - expected) / expected;
  const double shrink = (k_coordinates - k_width) / (k_coordinates - 1.0);
  EXPECT_LE(square / shrink, chi_square_limit(k_coordinates - 1.0));
  const double pairs = k_coordinates * (k_coordinates - 1) / 2.0, share = (k_width * (k_width - 1) / 2.0) / pairs;
  const double limit = boost::math::quantile(boost::math::complement(boost::math::normal(), k_alpha / 2 / pairs));
  for (std::uint32_t a = 0; a < k_coordinates; ++a) {
    for (std::uint32_t b = a + 1; b < k_coordinates; ++b) {
      const double off = pair[a * k_coordinates + b] - k_reports * share;
      EXPECT_LE(std::abs(off), limit * std::sqrt(k_reports * share * (1.0 - share))) << a << " " << b;
    }
  }
}

}  // namespace
}  // namespace sotto::analyzer

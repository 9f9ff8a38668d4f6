// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>
#include <boost/math/distributions/chi_squared.hpp>

#include "sotto/analyzer/central/exact_draws.hpp"
#include "src/central/exact_compare.hpp"
#include "statistical_bounds.hpp"

namespace sotto::analyzer::central {
namespace {

/// Cells with few expected counts are joined with the next one.
void expect_law(const std::vector<double>& counts, const std::vector<double>& probability, double total) {
  double square = 0, count = 0, expected = 0;
  int cells = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    count += counts[i];
    expected += probability[i] * total;
    if (expected < 20) continue;
    square += (count - expected) * (count - expected) / expected;
    ++cells;
    count = expected = 0;
  }
  ASSERT_GT(cells, 2);
  EXPECT_LT(square, boost::math::quantile(boost::math::complement(boost::math::chi_squared(cells - 1), k_alpha)));
}

TEST(CentralDraws, a_narrow_gaussian_has_the_law_that_is_written_down) {
  constexpr unsigned k_log2 = 6;
  constexpr int k_half = 5 << k_log2;
  constexpr double k_draws = 1e6;
  std::vector<double> probability(2 * k_half + 1), counts(probability.size());
  double mass = 0;
  for (int v = -k_half; v <= k_half; ++v) mass += probability[v + k_half] = std::exp(-v * v / 2.0 / (1 << 2 * k_log2));
  for (double& p : probability) p /= mass;
  Coins coins(1000);
  const GridGaussian noise(k_log2);
  double beyond = 0;
  for (int i = 0; i < k_draws; ++i) {
    const std::int64_t v = noise.draw(coins);
    if (std::abs(v) <= k_half) {
      ++counts[static_cast<std::size_t>(v + k_half)];
    } else {
      ++beyond;
    }
  }
  EXPECT_LT(beyond, 20);  // 0.6 are expected
  expect_law(counts, probability, k_draws - beyond);
}

TEST(CentralDraws, a_wide_gaussian_is_normal_in_its_high_bits_and_uniform_in_its_low_ones) {
  constexpr double k_draws = 400000;
  const auto normal = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  Coins coins(1001);
  const GridGaussian noise(33);
  std::vector<double> high(161), p_high(161), low(64), p_low(64, 1.0 / 64);
  for (int i = 0; i < 161; ++i) p_high[i] = normal((i - 79.5) / 20) - normal((i - 80.5) / 20);
  for (int i = 0; i < k_draws; ++i) {
    const std::int64_t v = noise.draw(coins);
    ++low[static_cast<std::size_t>(v & 63)];
    const int cell = static_cast<int>(std::lround(std::ldexp(static_cast<double>(v), -33) * 20)) + 80;
    if (cell >= 0 && cell < 161) ++high[cell];
  }
  expect_law(high, p_high, k_draws);
  expect_law(low, p_low, k_draws);
}

TEST(CentralDraws, doubles_decide_as_a_hundred_digits_do) {
  Coins coins(1002);
  int decided = 0, slow = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::uint64_t b = 1 + coins.below(std::uint64_t{1} << 40), a = coins.below(4 * b), word = coins.word();
    const Side side = quickly_below_exp(word, a, b);
    if (side == Side::unclear) continue;
    ++decided;
    EXPECT_EQ(side == Side::below, precisely_below_exp(word, coins.word(), a, b));
  }
  EXPECT_GT(decided, 1990);
  for (int i = 0; i < 2000; ++i) {
    const Acceptance at{.lead = static_cast<std::uint32_t>(60000 + coins.below(5536)),
                        .size = coins.below(std::uint64_t{5} << 30),
                        .log2_sigma = 30};
    const std::uint64_t word = coins.word();
    const Side side = quickly_accepted(at, word);
    ASSERT_NE(side, Side::unclear);
    slow += side == Side::above;
    EXPECT_EQ(side == Side::below, precisely_accepted(at, word, coins.word()));
  }
  EXPECT_GT(slow, 100);
}

TEST(CentralDraws, what_doubles_cannot_decide_they_leave_open) {
  // The 64 bits of e^-1, and their neighbours: too close for a double, decided by the digits.
  constexpr std::uint64_t k_e_to_minus_1 = 6786177901268885274u;  // floor(2^64 / e)
  EXPECT_EQ(quickly_below_exp(k_e_to_minus_1, 5, 5), Side::unclear);
  EXPECT_TRUE(precisely_below_exp(k_e_to_minus_1, 0, 5, 5));
  EXPECT_FALSE(precisely_below_exp(k_e_to_minus_1 + 1, 0, 5, 5));
  EXPECT_TRUE(precisely_below_exp(k_e_to_minus_1 - 1, ~std::uint64_t{0}, 5, 5));
}

TEST(CentralDraws, the_exponential_mechanism_prefers_by_the_exponential_of_the_score) {
  const std::vector<std::int64_t> scores = {-5, 0, 7, 7, 20, 31};
  std::vector<double> probability, counts(scores.size());
  double mass = 0;
  for (const std::int64_t s : scores) {
    probability.push_back(std::exp(static_cast<double>(s) / 10));
    mass += probability.back();
  }
  for (double& p : probability) p /= mass;
  Coins coins(1003);
  constexpr int k_draws = 200000;
  for (int i = 0; i < k_draws; ++i) ++counts[choose_exp(coins, scores, 10)];
  expect_law(counts, probability, k_draws);
}

TEST(CentralDraws, a_seed_repeats_its_coins_and_no_seed_does_not) {
  Coins first(5), same(5), other(6), stream(5, 1), fresh({}), fresh_too({});
  const std::uint64_t word = first.word();
  EXPECT_EQ(same.word(), word);
  EXPECT_NE(other.word(), word);
  EXPECT_NE(stream.word(), word);
  EXPECT_NE(fresh.word(), fresh_too.word());
}

}  // namespace
}  // namespace sotto::analyzer::central

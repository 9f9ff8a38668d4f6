// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/selected_interval.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace sotto::analyzer {
namespace {

TEST(SelectedInterval, holds_the_mean_of_numbers_that_are_looked_at_only_when_large) {
  std::mt19937_64 random(11);
  constexpr double k_error = 0.2, k_cut = 0.7;
  for (const double mean : {0.0, 0.4, 0.7, -0.8, 1.5}) {
    std::normal_distribution<double> draw(mean, k_error);
    int held = 0, plain = 0, seen = 0;
    while (seen < 4000) {
      const double x = draw(random);
      if (std::abs(x) <= k_cut) continue;
      ++seen;
      const SelectedInterval interval = selected_interval(x, k_error, k_cut);
      held += interval.low <= mean && mean <= interval.high;
      plain += std::abs(x - mean) <= 1.959964 * k_error;
    }
    EXPECT_NEAR(held / 4000.0, 0.95, 0.014) << mean;  // four standard errors
    if (std::abs(mean) < 0.5) {
      EXPECT_LT(plain / 4000.0, 0.9) << mean;
    }
  }
}

TEST(SelectedInterval, is_the_plain_one_far_from_the_cut_and_reaches_beyond_zero_at_it) {
  const SelectedInterval far = selected_interval(-10, 0.5, 1);
  EXPECT_NEAR(far.low, -10 - 1.959964 * 0.5, 1e-6);
  EXPECT_NEAR(far.high, -10 + 1.959964 * 0.5, 1e-6);
  const SelectedInterval near = selected_interval(1.001, 0.25, 1);
  EXPECT_LT(near.low, 0);
  EXPECT_GT(near.high, 0);
  const SelectedInterval mirrored = selected_interval(-1.001, 0.25, 1);
  EXPECT_DOUBLE_EQ(mirrored.high, -near.low);
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/order_statistics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "sotto/analyzer/math/priv_unit.hpp"

namespace sotto::analyzer {
namespace {

using Kind = ScoreLaw::Kind;
constexpr double k_accuracy = 1e-10;

TEST(OrderStatistics, of_few_normals_have_their_closed_forms) {
  const double root_pi = std::sqrt(std::numbers::pi);
  EXPECT_NEAR(TopSums({Kind::normal}, 2).sum(1), 1.0 / root_pi, k_accuracy);
  EXPECT_NEAR(TopSums({Kind::normal}, 3).sum(1), 1.5 / root_pi, k_accuracy);
  EXPECT_NEAR(TopSums({Kind::normal}, 3).sum(2), 1.5 / root_pi, k_accuracy);
  EXPECT_NEAR(TopSums({Kind::absolute_normal}, 1).sum(1), std::sqrt(2.0 / std::numbers::pi), k_accuracy);
  // The larger of two |normals|: E (|a|+|b|)/2 + E ||a|-|b||/2 = 2/sqrt(pi).
  EXPECT_NEAR(TopSums({Kind::absolute_normal}, 2).sum(1), 2.0 / root_pi, k_accuracy);
}

TEST(OrderStatistics, on_the_three_sphere_are_those_of_uniform_numbers) {
  for (const std::uint32_t count : {1u, 2u, 7u, 100u, 4096u}) {
    TopSums top{{Kind::sphere, 3}, count};
    for (const std::uint32_t k : {1u, 2u, 5u, count / 3 + 1, count / 2 + 1, count}) {
      if (k > count) continue;
      // The i-th largest of n uniforms on [-1, 1] has mean 1 - 2i/(n+1).
      const double exact = k - k * (k + 1.0) / (count + 1.0);
      EXPECT_NEAR(top.sum(k), exact, k_accuracy * std::max(1.0, exact)) << k << " of " << count;
    }
  }
}

TEST(OrderStatistics, on_the_circle_survive_the_densitys_poles) {
  const double pi = std::numbers::pi;
  EXPECT_NEAR(TopSums({Kind::sphere, 2}, 2).sum(1), 4.0 / (pi * pi), 1e-8);
}

TEST(OrderStatistics, of_all_scores_are_the_moments) {
  for (const std::uint32_t count : {2u, 64u, 1024u}) {
    EXPECT_NEAR(TopSums({Kind::normal}, count).sum(count), 0.0, 1e-9);
    EXPECT_NEAR(TopSums({Kind::normal}, count).sum_of_squares(count), count, 1e-9 * count);
    EXPECT_NEAR(TopSums({Kind::absolute_normal}, count).sum_of_squares(count), count, 1e-9 * count);
    for (const std::uint32_t d : {2u, 9u, 64u}) {
      EXPECT_NEAR(TopSums({Kind::sphere, d}, count).sum(count), 0.0, 1e-9);
      EXPECT_NEAR(TopSums({Kind::sphere, d}, count).sum_of_squares(count), count / static_cast<double>(d),
                  1e-9 * count);
    }
  }
}

TEST(OrderStatistics, rise_by_the_next_largest_score) {
  TopSums top{{Kind::absolute_normal}, 256};
  double last_step = 10.0;
  for (std::uint32_t k = 1; k < 256; ++k) {
    const double step = top.sum(k + 1) - top.sum(k);
    EXPECT_GT(step, 0.0) << k;
    EXPECT_LT(step, last_step) << k;
    last_step = step;
  }
}

TEST(MeanChi, multiplies_with_its_neighbour_to_the_dimension) {
  for (const std::uint32_t d : {1u, 2u, 9u, 64u, 4096u})
    EXPECT_NEAR(mean_chi(d) * mean_chi(d + 1) / d, 1.0, 1e-12) << d;
}

struct PrivUnitRow {
  std::uint32_t dimension;
  double epsilon, sphere, gauss;
};

TEST(PrivUnit, has_the_tabled_errors) {
  constexpr PrivUnitRow k_rows[] = {
      {8, .5, 188.8, 201.4}, {8, 4, 2.81, 3.45},  {8, 8, .60, 1.04},     {16, 2, 24.6, 25.9},    {16, 6, 2.84, 3.40},
      {64, 1, 401.5, 405.1}, {64, 8, 7.95, 8.50}, {256, .5, 6433, 6446}, {256, 4, 110.7, 111.4}, {256, 8, 33.5, 34.0}};
  for (const PrivUnitRow& row : k_rows) {
    // The table has three or four digits.
    EXPECT_NEAR(priv_unit_error(row.dimension, row.epsilon) / row.sphere, 1.0, .008)
        << row.dimension << " " << row.epsilon;
    EXPECT_NEAR(priv_unit_gauss_error(row.dimension, row.epsilon) / row.gauss, 1.0, .005)
        << row.dimension << " " << row.epsilon;
  }
}

}  // namespace
}  // namespace sotto::analyzer

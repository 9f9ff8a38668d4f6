// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "src/protocol/rounds/last_cohort.hpp"

namespace sotto::analyzer {
namespace {

TEST(EmptyShare, is_zero_until_it_is_two_standard_errors_above) {
  EmptyShare empty;
  EXPECT_EQ(empty.share(), 0);
  EXPECT_EQ(empty.variance(), 0);
  empty.add(0.19, 0.01);  // 1.9 standard errors
  EXPECT_EQ(empty.share(), 0);
  EXPECT_EQ(empty.variance(), 0);
  EmptyShare clear;
  clear.add(0.21, 0.01);
  EXPECT_DOUBLE_EQ(clear.share(), 0.21);
  EXPECT_DOUBLE_EQ(clear.variance(), 0.01);
}

TEST(EmptyShare, rounds_are_pooled_by_their_precision_and_an_absurd_share_is_cut) {
  EmptyShare empty;
  empty.add(0.5, 0.01);
  empty.add(0.2, 0.04);
  EXPECT_DOUBLE_EQ(empty.share(), (50 + 5) / 125.0);
  EXPECT_DOUBLE_EQ(empty.variance(), 1 / 125.0);
  empty.add(0.9, std::numeric_limits<double>::infinity());  // a round without reports
  empty.add(0.9, 0);
  EXPECT_DOUBLE_EQ(empty.share(), 0.44);
  EmptyShare full;
  full.add(0.99, 1e-6);
  EXPECT_DOUBLE_EQ(full.share(), 0.8);
  EXPECT_TRUE(full.is_most());
  EXPECT_FALSE(empty.is_most());
}

DirectionQuestion two_features() { return {LocalAnswer::least_squares, 1, {{3, 0.1}, {7, -0.2}}}; }

DirectionAnswer small_answer() {
  DirectionAnswer answer;
  answer.mean = {0.09, 0.018};
  answer.standard_error = {0.03, 0.01};
  answer.noise_error = {0.018, 0.024};
  answer.used = 5;
  return answer;
}

TEST(CohortEstimate, divides_out_the_gain_and_adds_the_centre) {
  const CohortEstimate cohort = cohort_estimate(two_features(), small_answer(), 0.9, 0.05, {});
  ASSERT_EQ(cohort.feature, (std::vector<std::uint32_t>{3, 7}));
  EXPECT_DOUBLE_EQ(cohort.value[0], 0.1 + 0.1);
  EXPECT_DOUBLE_EQ(cohort.value[1], -0.2 + 0.02);
  EXPECT_DOUBLE_EQ(cohort.standard_error[0], 0.03 / 0.9);
  EXPECT_DOUBLE_EQ(cohort.guess_error[0], 0.1 * 0.05);
  EXPECT_DOUBLE_EQ(cohort.guess_error[1], 0.02 * 0.05);
  // Noise of 0.0009 over a spread of 0.001.
  EXPECT_NEAR(cohort.sampling_share, 1 - 0.0009 / 0.001, 1e-12);
}

TEST(CohortEstimate, divides_out_empty_devices_and_doubts_their_number) {
  EmptyShare empty;
  empty.add(0.4, 0.01);
  const CohortEstimate cohort = cohort_estimate(two_features(), small_answer(), 0.9, 0, empty);
  EXPECT_DOUBLE_EQ(cohort.value[0], 0.1 + 0.1 / 0.6);
  EXPECT_DOUBLE_EQ(cohort.standard_error[0], 0.03 / 0.9 / 0.6);
  EXPECT_DOUBLE_EQ(cohort.guess_error[0], 0.1 / 0.6 * 0.1 / 0.6);
}

TEST(CoefficientOf, the_interval_is_students_with_half_of_the_variance_pooled) {
  const CohortEstimate cohort = cohort_estimate(two_features(), small_answer(), 1, 0.5, {});
  const Coefficient c = coefficient_of(cohort, 0);
  // Own variance 0.0009, pooled 0.0005; the guess is off by half of the 0.09 moved.
  const double error = std::sqrt(0.5 * (0.0009 + 0.0005) + 0.045 * 0.045);
  EXPECT_EQ(c.feature, 3u);
  EXPECT_DOUBLE_EQ(c.last_cohort, 0.19);
  EXPECT_NEAR(c.standard_error, error, 1e-12);
  // Five reports: t of four degrees of freedom, 2.776445.
  EXPECT_NEAR(c.low, 0.19 - 2.776445 * error, 1e-6);
  EXPECT_NEAR(c.high, 0.19 + 2.776445 * error, 1e-6);
  // Its tail has a closed form: P(|T| > t) = 1 - x (6 + t^2) / (4 + t^2), x = t / sqrt(4 + t^2).
  const double t = 0.19 / error;
  EXPECT_NEAR(c.p_value, 1 - t / std::sqrt(4 + t * t) * (6 + t * t) / (4 + t * t), 1e-9);
  EXPECT_FALSE(c.found);
}

Model with_p_values(const std::vector<double>& p) {
  Model model;
  for (std::size_t i = 0; i < p.size(); ++i) {
    Coefficient c;
    c.feature = static_cast<std::uint32_t>(i);
    c.p_value = p[i];
    model.coefficients.push_back(c);
  }
  return model;
}

std::vector<bool> confirmed(const std::vector<double>& p) {
  Model model = with_p_values(p);
  confirm(model);
  std::vector<bool> found;
  for (const Coefficient& c : model.coefficients) found.push_back(c.found);
  return found;
}

TEST(Confirm, goes_down_from_the_smallest_until_one_fails) {
  // Against 0.05/4, 0.05/3, 0.05/2, 0.05: the third smallest, 0.03, fails, and what is behind it with it.
  EXPECT_EQ(confirmed({0.01, 0.04, 0.03, 0.005}), (std::vector<bool>{true, false, false, true}));
  EXPECT_EQ(confirmed({0.0126, 0.0126, 0.0126, 0.0126}), (std::vector<bool>(4, false)));
  EXPECT_EQ(confirmed({0.0125, 0.016, 0.025, 0.05}), (std::vector<bool>(4, true)));
  EXPECT_EQ(confirmed({1}), (std::vector<bool>{false}));
  EXPECT_TRUE(confirmed({}).empty());
}

TEST(KeepSupport, drops_zeros_and_puts_the_strongest_first) {
  Model model = with_p_values({0, 0, 0, 0, 0});
  const double estimate[] = {0.1, 0, -0.3, 0.1, -0.1};
  for (std::size_t i = 0; i < 5; ++i) model.coefficients[i].estimate = estimate[i];
  keep_support(model);
  std::vector<std::uint32_t> order;
  for (const Coefficient& c : model.coefficients) order.push_back(c.feature);
  EXPECT_EQ(order, (std::vector<std::uint32_t>{2, 0, 3, 4}));
}

}  // namespace
}  // namespace sotto::analyzer

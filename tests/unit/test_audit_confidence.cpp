// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cmath>

#include "sotto/analyzer/audit/confidence.hpp"
#include "sotto/analyzer/audit/noise_law.hpp"

namespace sotto::analyzer::audit {
namespace {

TEST(ClopperPearson, has_the_closed_forms_at_the_ends) {
  EXPECT_EQ(clopper_pearson_lower(0, 50, 0.05), 0);
  EXPECT_EQ(clopper_pearson_upper(50, 50, 0.05), 1);
  EXPECT_NEAR(clopper_pearson_upper(0, 50, 0.05), 1 - std::pow(0.05, 1.0 / 50), 1e-12);
  EXPECT_NEAR(clopper_pearson_lower(50, 50, 0.05), std::pow(0.05, 1.0 / 50), 1e-12);
}

TEST(ClopperPearson, inverts_the_binomial_tail) {
  // At the lower bound p of 7 in 20, P(at least 7 hits) is alpha; at the upper bound, P(at most 7).
  const auto tail = [](double p, int from, int to) {
    double sum = 0;
    for (int k = from; k <= to; ++k) {
      sum += std::exp(std::lgamma(21) - std::lgamma(k + 1) - std::lgamma(21 - k)) * std::pow(p, k) *
             std::pow(1 - p, 20 - k);
    }
    return sum;
  };
  EXPECT_NEAR(tail(clopper_pearson_lower(7, 20, 0.025), 7, 20), 0.025, 1e-12);
  EXPECT_NEAR(tail(clopper_pearson_upper(7, 20, 0.025), 0, 7), 0.025, 1e-12);
}

TEST(EpsilonLowerBound, approaches_the_logarithm_of_the_ratio) {
  EXPECT_NEAR(epsilon_lower_bound({75'000'000, 25'000'000, 100'000'000}, 0.05, 0), std::log(3.0), 1e-3);
  EXPECT_LT(epsilon_lower_bound({75, 25, 100}, 0.05, 0), std::log(3.0));
}

TEST(EpsilonLowerBound, takes_delta_from_the_likely_side) {
  EXPECT_NEAR(epsilon_lower_bound({50'000'000, 10'000'000, 100'000'000}, 0.05, 0.2), std::log(3.0), 1e-3);
  EXPECT_EQ(epsilon_lower_bound({10, 0, 1000}, 0.05, 0.5), 0) << "delta explains everything that was seen";
}

TEST(EpsilonLowerBound, is_zero_without_evidence) {
  EXPECT_EQ(epsilon_lower_bound({0, 0, 100}, 0.05, 0), 0);
  EXPECT_EQ(epsilon_lower_bound({20, 60, 100}, 0.05, 0), 0) << "the event was chosen the wrong way round";
}

TEST(NoiseLaw, of_laplace_is_a_distribution_that_falls_by_the_step) {
  LaplaceSpec spec{1'000'000'000, 4, 0};
  ASSERT_EQ(derive(spec), Status::ok);
  const std::vector<double> law = laplace_law(spec);
  double sum = 0;
  for (const double p : law) sum += p;
  EXPECT_NEAR(sum, 1, 1e-12);
  for (std::size_t z = 1; z < 60; ++z) EXPECT_NEAR(std::log(law[z - 1] / law[z]), 0.125, 1e-4) << z;
  EXPECT_NEAR(laplace_delivered(spec), 1, 1e-6);
}

TEST(NoiseLaw, of_the_gaussian_has_tails_that_add_up) {
  for (const std::int32_t z : {-9, -1, 0, 1, 2, 14}) {
    EXPECT_NEAR(gaussian_upper_tail(30, z) + gaussian_upper_tail(30, 1 - z), 1, 1e-14) << z;
  }
  EXPECT_NEAR(gaussian_upper_tail(10'000, 101), 0.5 * std::erfc(1.005 / std::sqrt(2.0)), 2e-6)
      << "a grid much finer than sigma: the midpoint rule errs by phi'(1)/(24 variance) = 1e-6";
}

TEST(NoiseLaw, of_the_gaussian_delivers_what_its_point_states) {
  GaussianSpec spec{1'000'000'000, 18446744073709u, 8, 0, 1};
  ASSERT_EQ(derive(spec), Status::ok);
  EXPECT_LE(gaussian_delivered(spec), 1);
  EXPECT_GT(gaussian_delivered(spec), 0.99);
  spec.variance /= 2;
  EXPECT_GT(gaussian_delivered(spec), 1.3) << "half the variance spends more";
}

}  // namespace
}  // namespace sotto::analyzer::audit

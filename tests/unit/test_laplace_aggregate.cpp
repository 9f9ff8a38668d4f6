// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/laplace.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "aggregate_checks.hpp"

namespace sotto::analyzer {
namespace {

LaplaceSpec spec_of(std::uint32_t radius, double epsilon) {
  return derived(LaplaceSpec{static_cast<EpsilonNano>(epsilon * 1e9), radius, 0});
}

/// The law of (g1 - g2) mod N, multiplied out from the digits' exact coins.
std::vector<double> noise_law(const LaplaceSpec& spec) {
  const std::uint32_t size = 1u << spec.bits;
  std::vector<double> geometric(size, 1), law(size, 0);
  for (std::uint32_t j = 0; j < spec.bits; ++j) {
    const double p = std::ldexp(static_cast<double>(laplace_digit_threshold(laplace_step_q40(spec), j)), -64);
    for (std::uint32_t g = 0; g < size; ++g) geometric[g] *= (g >> j & 1u) != 0 ? p : 1 - p;
  }
  for (std::uint32_t g = 0; g < size; ++g) {
    for (std::uint32_t h = 0; h < size; ++h) law[(g - h) & (size - 1)] += geometric[g] * geometric[h];
  }
  return law;
}

/// The decoded report of one outcome, through the aggregate itself.
double decoded(const LaplaceSpec& spec, std::uint32_t report) {
  auto a = LaplaceAggregate::open(spec).value();
  EXPECT_TRUE(a.absorb(report));
  return a.close().mean;
}

TEST(LaplaceAggregate, the_mean_is_off_by_no_more_than_the_bound_at_any_value_and_the_bound_is_not_idle) {
  for (const auto& [radius, epsilon] :
       {std::pair{1u, 8.0}, {1u, 11.7}, {2u, 4.0}, {5u, 8.0}, {3u, 1.0}, {8u, 4.0}, {20u, 12.0}}) {
    const LaplaceSpec spec = spec_of(radius, epsilon);
    const std::uint32_t size = 1u << spec.bits;
    const std::vector<double> law = noise_law(spec);
    std::vector<double> z(size);
    for (std::uint32_t y = 0; y < size; ++y) z[y] = decoded(spec, y);
    const double bound = laplace_wrap_bias_bound(spec);
    double worst = 0;
    for (int x = -static_cast<int>(radius); x <= static_cast<int>(radius); ++x) {
      double mean = 0, square = 0;
      for (std::uint32_t noise = 0; noise < size; ++noise) {
        const double decoded_z = z[(static_cast<std::uint32_t>(x) + noise) & (size - 1)];
        mean += law[noise] * decoded_z;
        square += law[noise] * decoded_z * decoded_z;
      }
      worst = std::max(worst, std::abs(mean - x));
      // Wrapping moves the second moment by less than half a per cent and N/2 times the bound (math/laplace.md).
      ASSERT_NEAR(square - mean * mean, laplace_noise_variance(spec),
                  5e-3 * laplace_noise_variance(spec) + bound * size / 2);
    }
    EXPECT_LE(worst, bound * (1 + 1e-6)) << radius << " " << epsilon;
    EXPECT_GE(worst, bound / 4) << radius << " " << epsilon;
  }
}

TEST(LaplaceAggregate, the_variance_from_the_digits_is_that_of_the_discrete_laplace_law) {
  for (const auto& [epsilon, tabled] :
       {std::pair{1.0, 7.997}, {2.0, 1.997}, {3.0, .886}, {4.0, .497}, {6.0, .220}, {8.0, .122}}) {
    const LaplaceSpec spec = spec_of(8, epsilon);
    const double a = std::exp(-epsilon / 16);
    const double variance = laplace_noise_variance(spec);
    EXPECT_NEAR(variance, 2 * a / ((1 - a) * (1 - a)), 3e-3 * variance) << epsilon;
    EXPECT_NEAR(variance / 64, tabled, 5e-4 + 3e-3 * tabled) << epsilon;
  }
}

TEST(LaplaceAggregate, the_bound_over_all_radii_is_the_tabled_one) {
  for (const auto& [epsilon, smallest, largest] :
       {std::tuple{1.0, 3.6e-9, 2.3e-4}, {4.0, 8.8e-9, 5.7e-4}, {8.0, 3.7e-8, 2.4e-3}}) {
    double least = 1, most = 0;
    for (std::uint32_t radius = 1; radius <= k_laplace_radius_max; ++radius) {
      const double relative = laplace_wrap_bias_bound(spec_of(radius, epsilon)) / radius;
      least = std::min(least, relative);
      most = std::max(most, relative);
    }
    EXPECT_NEAR(least / smallest, 1, .02) << epsilon;
    EXPECT_NEAR(most / largest, 1, .02) << epsilon;
  }
}

TEST(LaplaceAggregate, reports_are_taken_nearest_to_zero) {
  const LaplaceSpec spec = spec_of(8, 1);
  const std::uint32_t size = 1u << spec.bits;
  EXPECT_EQ(decoded(spec, 0), 0);
  EXPECT_EQ(decoded(spec, size / 2 - 1), size / 2 - 1.0);
  EXPECT_EQ(decoded(spec, size / 2), -(size / 2.0));
  EXPECT_EQ(decoded(spec, size - 1), -1);
}

TEST(LaplaceAggregate, the_mean_and_its_errors_are_those_of_the_decoded_reports) {
  const LaplaceSpec spec = spec_of(64, 1);
  const std::uint32_t size = 1u << spec.bits;
  auto a = LaplaceAggregate::open(spec).value();
  double sum = 0, square = 0;
  for (std::uint32_t i = 0; i < 500; ++i) {
    const std::uint32_t y = i * i * 7919 % size;
    ASSERT_TRUE(a.absorb(y));
    const double z = decoded(spec, y);
    sum += z;
    square += z * z;
  }
  const ScalarMean m = a.close();
  EXPECT_NEAR(m.mean, sum / 500, 1e-9);
  EXPECT_NEAR(m.standard_error, std::sqrt((square - sum * sum / 500) / 499 / 500), 1e-9);
  EXPECT_NEAR(m.noise_error, std::sqrt(laplace_noise_variance(spec) / 500), 1e-12);
  EXPECT_GT(m.bias_bound, 0);
}

TEST(LaplaceAggregate, a_report_outside_the_circle_is_counted_and_not_used) {
  const LaplaceSpec spec = spec_of(8, 1);
  auto a = LaplaceAggregate::open(spec).value();
  EXPECT_TRUE(a.absorb((1u << spec.bits) - 1));
  EXPECT_FALSE(a.absorb(1u << spec.bits));
  const std::vector<std::uint32_t> more = {~0u, 5};
  EXPECT_EQ(a.absorb(more), 1u);
  EXPECT_EQ(a.close().used, 2u);
  EXPECT_EQ(a.close().refused, 2u);
}

TEST(LaplaceAggregate, order_and_grouping_never_change_the_bytes) {
  const LaplaceSpec spec = spec_of(64, 1);
  expect_any_order_gives_the_same_bytes(LaplaceAggregate::open(spec).value(), 300,
                                        [&](LaplaceAggregate& a, std::uint32_t i) {
                                          static_cast<void>(a.absorb(i * i * 7919 % ((1u << spec.bits) + 99)));
                                        });
}

TEST(LaplaceAggregate, its_bytes_come_back_and_nothing_else_is_taken_for_them) {
  const LaplaceSpec spec = spec_of(8, 1);
  auto a = LaplaceAggregate::open(spec).value();
  for (std::uint32_t i = 0; i < 50; ++i) static_cast<void>(a.absorb(i * 37));
  expect_total_loading(spec, a);
}

TEST(LaplaceAggregate, another_spec_is_refused) {
  expect_another_spec_is_refused(LaplaceAggregate::open(spec_of(8, 1)).value(), spec_of(8, 1),
                                 LaplaceAggregate::open(spec_of(9, 1)).value());
}

TEST(LaplaceAggregate, a_bad_spec_opens_nothing) {
  LaplaceSpec spec = spec_of(8, 1);
  spec.bits -= 1;
  expect_refused(LaplaceAggregate::open(spec), "spec.bad_channel");
  expect_refused(LaplaceAggregate::open({k_epsilon_one, 0, 10}), "spec.bad_channel");
  expect_refused(LaplaceAggregate::open({16, 8, 10}), "spec.bad_epsilon");
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/gaussian.hpp"

#include <array>
#include <cmath>

#include "aggregate_checks.hpp"

namespace sotto::analyzer {
namespace {

constexpr DeltaUnits k_delta = 18446744073709u;  // 10^-6

GaussianSpec spec_of(std::uint32_t dimension, std::uint32_t radius = 8) {
  return derived(GaussianSpec{k_epsilon_one, k_delta, radius, 0, dimension});
}

std::array<std::int32_t, 3> report_of(std::uint32_t i) {
  const auto v = static_cast<std::int32_t>(i);
  return {v * v % 1001 - 500, 8000000 - v, -v};
}

TEST(GaussianAggregate, the_variance_is_that_of_the_discrete_law) {
  double mass = 0, square = 0;
  for (int z = -40; z <= 40; ++z) {
    mass += std::exp(-z * z / 2.0);
    square += z * z * std::exp(-z * z / 2.0);
  }
  EXPECT_NEAR(discrete_gaussian_variance(1), square / mass, 1e-14);
  EXPECT_NEAR(discrete_gaussian_variance(1), 1, 1e-6);
  EXPECT_NEAR(discrete_gaussian_variance(1u << 25), 1u << 25, 1e-3);
}

TEST(GaussianAggregate, means_and_errors_are_those_of_the_coordinates) {
  auto a = GaussianAggregate::open(spec_of(3)).value();
  std::array<double, 3> sum{}, square{};
  for (std::uint32_t i = 0; i < 400; ++i) {
    const auto r = report_of(i);
    ASSERT_TRUE(a.absorb(r));
    for (std::size_t j = 0; j < 3; ++j) {
      sum[j] += r[j];
      square[j] += (r[j] - 8e6 * (j == 1)) * (r[j] - 8e6 * (j == 1));  // about 8,000,000: this test must not cancel
    }
  }
  const std::vector<ScalarMean> means = a.close();
  ASSERT_EQ(means.size(), 3u);
  for (std::size_t j = 0; j < 3; ++j) {
    const double centre = sum[j] / 400 - 8e6 * (j == 1);
    EXPECT_NEAR(means[j].mean, sum[j] / 400, 1e-6);
    EXPECT_NEAR(means[j].standard_error, std::sqrt((square[j] / 400 - centre * centre) / 399), 1e-3);
    EXPECT_NEAR(means[j].noise_error, std::sqrt(discrete_gaussian_variance(a.spec().variance) / 400), 1e-12);
    EXPECT_EQ(means[j].used, 400u);
  }
}

TEST(GaussianAggregate, a_report_of_another_length_or_beyond_24_bits_is_refused_whole) {
  auto a = GaussianAggregate::open(spec_of(3)).value();
  const std::array<std::int32_t, 3> lowest = {-(1 << 23), (1 << 23) - 1, 0}, high = {0, 0, 1 << 23},
                                    low = {-(1 << 23) - 1, 0, 0};
  const std::array<std::int32_t, 2> two{};
  EXPECT_TRUE(a.absorb(lowest));
  EXPECT_FALSE(a.absorb(high));
  EXPECT_FALSE(a.absorb(low));
  EXPECT_FALSE(a.absorb(two));
  EXPECT_FALSE(a.absorb({}));
  EXPECT_EQ(a.close()[0].used, 1u);
  EXPECT_EQ(a.close()[0].refused, 4u);
  EXPECT_EQ(a.close()[2].mean, 0);
}

TEST(GaussianAggregate, order_and_grouping_never_change_the_bytes) {
  expect_any_order_gives_the_same_bytes(
      GaussianAggregate::open(spec_of(3)).value(), 300,
      [](GaussianAggregate& a, std::uint32_t i) { static_cast<void>(a.absorb(report_of(i))); });
}

TEST(GaussianAggregate, its_bytes_come_back_and_nothing_else_is_taken_for_them) {
  auto a = GaussianAggregate::open(spec_of(3)).value();
  for (std::uint32_t i = 0; i < 50; ++i) static_cast<void>(a.absorb(report_of(i)));
  expect_total_loading(spec_of(3), a);
}

TEST(GaussianAggregate, another_spec_is_refused) {
  expect_another_spec_is_refused(GaussianAggregate::open(spec_of(3)).value(), spec_of(3),
                                 GaussianAggregate::open(spec_of(3, 9)).value());
}

TEST(GaussianAggregate, a_bad_spec_opens_nothing) {
  GaussianSpec spec = spec_of(1);
  spec.variance -= 1;
  expect_refused(GaussianAggregate::open(spec), "spec.overspent");
  spec = spec_of(1);
  spec.delta += 1;
  expect_refused(GaussianAggregate::open(spec), "spec.uncertified_point");
  spec = spec_of(1);
  spec.dimension = 0;
  expect_refused(GaussianAggregate::open(spec), "spec.bad_dimension");
}

}  // namespace
}  // namespace sotto::analyzer

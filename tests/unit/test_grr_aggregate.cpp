// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/grr.hpp"

#include <cmath>

#include "aggregate_checks.hpp"

namespace sotto::analyzer {
namespace {

GrrSpec spec_of(std::uint32_t categories, EpsilonNano epsilon = k_epsilon_one) {
  return derived(GrrSpec{epsilon, categories, 0});
}

TEST(GrrAggregate, one_report_is_unbiased_for_every_category) {
  const GrrSpec spec = spec_of(7);
  const double p = std::ldexp(spec.threshold, -32), q = (1 - p) / 6;
  for (std::uint32_t x = 0; x < 7; ++x) {
    std::vector<double> mean(7, 0);
    for (std::uint32_t y = 0; y < 7; ++y) {
      auto a = GrrAggregate::open(spec).value();
      ASSERT_TRUE(a.absorb(y));
      const CategoryCounts c = a.close();
      for (std::uint32_t v = 0; v < 7; ++v) mean[v] += (y == x ? p : q) * c.count[v];
    }
    for (std::uint32_t v = 0; v < 7; ++v) EXPECT_NEAR(mean[v], v == x ? 1 : 0, 1e-12);
  }
}

TEST(GrrAggregate, the_standard_error_is_that_of_the_channel) {
  const GrrSpec spec = spec_of(4, 2 * k_epsilon_one);
  const double p = std::ldexp(spec.threshold, -32), q = (1 - p) / 3;
  auto a = GrrAggregate::open(spec).value();
  for (int i = 0; i < 1000; ++i) ASSERT_TRUE(a.absorb(i < 700 ? 0u : 1u));
  const CategoryCounts c = a.close();
  const auto variance = [&](double count) {  // of `count` own and 1000 - count other devices
    return (count * p * (1 - p) + (1000 - count) * q * (1 - q)) / ((p - q) * (p - q));
  };
  EXPECT_NEAR(c.standard_error[1], std::sqrt(variance(c.count[1])), 1e-9);
  ASSERT_LT(c.count[2], 0);
  EXPECT_NEAR(c.standard_error[2], std::sqrt(variance(0)), 1e-9);
}

TEST(GrrAggregate, a_report_that_is_no_category_is_counted_and_not_used) {
  auto a = GrrAggregate::open(spec_of(5)).value();
  EXPECT_TRUE(a.absorb(4u));
  EXPECT_FALSE(a.absorb(5u));
  EXPECT_FALSE(a.absorb(~0u));
  EXPECT_EQ(a.close().used, 1u);
  EXPECT_EQ(a.close().refused, 2u);
}

TEST(GrrAggregate, many_reports_are_absorbed_like_one_at_a_time) {
  const GrrSpec spec = spec_of(9);
  auto one = GrrAggregate::open(spec).value(), many = one;
  std::vector<std::uint32_t> reports;
  for (std::uint32_t i = 0; i < 1001; ++i) reports.push_back(i * i % 11);
  for (const std::uint32_t r : reports) static_cast<void>(one.absorb(r));
  EXPECT_EQ(many.absorb(reports), one.sums().used());
  EXPECT_EQ(saved(many), saved(one));
}

TEST(GrrAggregate, with_no_report_every_count_is_exactly_zero) {
  const CategoryCounts c = GrrAggregate::open(spec_of(3)).value().close();
  for (std::size_t v = 0; v < 3; ++v) {
    EXPECT_EQ(c.count[v], 0);
    EXPECT_EQ(c.standard_error[v], 0);
  }
}

TEST(GrrAggregate, order_and_grouping_never_change_the_bytes) {
  expect_any_order_gives_the_same_bytes(
      GrrAggregate::open(spec_of(9)).value(), 300,
      [](GrrAggregate& a, std::uint32_t i) { static_cast<void>(a.absorb(i * i % 10)); });
}

TEST(GrrAggregate, its_bytes_come_back_and_nothing_else_is_taken_for_them) {
  auto a = GrrAggregate::open(spec_of(4)).value();
  for (std::uint32_t i = 0; i < 50; ++i) static_cast<void>(a.absorb(i % 5));
  expect_total_loading(spec_of(4), a);
}

TEST(GrrAggregate, another_spec_is_refused) {
  const GrrSpec spec = spec_of(4);
  GrrSpec other = spec;
  other.threshold -= 1;
  expect_another_spec_is_refused(GrrAggregate::open(spec).value(), spec, GrrAggregate::open(other).value());
}

TEST(GrrAggregate, a_bad_spec_opens_nothing) {
  GrrSpec spec = spec_of(4);
  spec.threshold += 4096;
  expect_refused(GrrAggregate::open(spec), "spec.overspent");
  expect_refused(GrrAggregate::open({k_epsilon_one, 1, 1}), "spec.bad_dimension");
  expect_refused(GrrAggregate::open({0, 4, 1}), "spec.bad_epsilon");
  expect_refused(GrrAggregate::open({k_epsilon_one, 4, 1u << 30}), "spec.no_information");
  expect_refused(GrrAggregate::load({0, 4, 1}, {}), "spec.bad_epsilon");
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/hadamard_response.hpp"

#include <cmath>

#include "aggregate_checks.hpp"
#include "sotto/masks.hpp"

namespace sotto::analyzer {
namespace {

HadamardResponseSpec spec_of(std::uint32_t log2_size, std::uint32_t categories) {
  return derived(HadamardResponseSpec{k_epsilon_one, log2_size, categories, 0});
}

TEST(HadamardResponseAggregate, one_report_is_unbiased_for_every_category) {
  const HadamardResponseSpec spec = spec_of(3, 7);
  const double p = std::ldexp(spec.threshold, -32);
  for (std::uint32_t x = 0; x < 7; ++x) {
    std::vector<double> mean(7, 0), square(7, 0);
    for (std::uint32_t y = 0; y < 8; ++y) {
      auto a = HadamardResponseAggregate::open(spec).value();
      ASSERT_TRUE(a.absorb(y));
      const double odds = (parity(y & (x + 1)) == 0 ? p : 1 - p) / 4;
      const CategoryCounts c = a.close();
      for (std::uint32_t v = 0; v < 7; ++v) {
        mean[v] += odds * c.count[v];
        square[v] += odds * c.count[v] * c.count[v];
      }
    }
    for (std::uint32_t v = 0; v < 7; ++v) {
      EXPECT_NEAR(mean[v], v == x ? 1 : 0, 1e-12);
      EXPECT_NEAR(square[v], 1 / ((2 * p - 1) * (2 * p - 1)), 1e-9);
    }
  }
}

TEST(HadamardResponseAggregate, the_standard_error_is_that_of_the_channel) {
  const HadamardResponseSpec spec = spec_of(2, 3);
  auto a = HadamardResponseAggregate::open(spec).value();
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(a.absorb(i < 60 ? 2u : 3u));
  const double gain = 2 * std::ldexp(spec.threshold, -32) - 1;
  const CategoryCounts c = a.close();
  EXPECT_NEAR(c.count[0], (60 - 40) / gain, 1e-9);  // category 0 asks for bit 0
  EXPECT_NEAR(c.standard_error[0], std::sqrt(100 / (gain * gain) - c.count[0]), 1e-9);
  ASSERT_LT(c.count[1], 0);
  EXPECT_NEAR(c.standard_error[1], std::sqrt(100 / (gain * gain)), 1e-9);
}

TEST(HadamardResponseAggregate, a_report_that_is_no_outcome_is_counted_and_not_used) {
  auto a = HadamardResponseAggregate::open(spec_of(4, 9)).value();
  EXPECT_TRUE(a.absorb(15u));
  EXPECT_FALSE(a.absorb(16u));
  const std::vector<std::uint32_t> more = {0, 99, 3};
  EXPECT_EQ(a.absorb(more), 2u);
  EXPECT_EQ(a.close().used, 3u);
  EXPECT_EQ(a.close().refused, 2u);
}

TEST(HadamardResponseAggregate, order_and_grouping_never_change_the_bytes) {
  expect_any_order_gives_the_same_bytes(
      HadamardResponseAggregate::open(spec_of(4, 9)).value(), 300,
      [](HadamardResponseAggregate& a, std::uint32_t i) { static_cast<void>(a.absorb(i * i % 18)); });
}

TEST(HadamardResponseAggregate, its_bytes_come_back_and_nothing_else_is_taken_for_them) {
  auto a = HadamardResponseAggregate::open(spec_of(3, 5)).value();
  for (std::uint32_t i = 0; i < 50; ++i) static_cast<void>(a.absorb(i % 9));
  expect_total_loading(spec_of(3, 5), a);
}

TEST(HadamardResponseAggregate, another_spec_is_refused) {
  const HadamardResponseSpec spec = spec_of(3, 5);
  expect_another_spec_is_refused(HadamardResponseAggregate::open(spec).value(), spec,
                                 HadamardResponseAggregate::open(spec_of(3, 6)).value());
}

TEST(HadamardResponseAggregate, a_bad_spec_opens_nothing) {
  expect_refused(HadamardResponseAggregate::open({k_epsilon_one, 3, 8, 1}), "spec.bad_dimension");
  expect_refused(HadamardResponseAggregate::open({k_epsilon_one, 25, 8, 1}), "spec.bad_channel");
  expect_refused(HadamardResponseAggregate::open({k_epsilon_one, 3, 5, 1u << 31}), "spec.no_information");
  expect_refused(HadamardResponseAggregate::open({k_epsilon_one, 3, 5, ~0u}), "spec.overspent");
}

}  // namespace
}  // namespace sotto::analyzer

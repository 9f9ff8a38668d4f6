// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/aggregate/hadamard_response.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "statistical_bounds.hpp"
#include "test_fleet.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_reports = 40000, k_group = 40, k_categories = 200, k_present = 77;

class HadamardResponseEstimate : public testing::TestWithParam<double> {};

// Everybody holds category 77. A group of 40 reports gives one estimate of each absent category, of kurtosis at most 3.
// The Walsh functions v and w of a report are correlated only when v XOR w is the one that is held, so categories pair
// up at worst and half of 1,000 groups times 199 categories count as independent terms.
TEST_P(HadamardResponseEstimate, is_unbiased_with_variance_c_squared) {
  const double epsilon = GetParam();
  const auto spec = derived(HadamardResponseSpec{static_cast<EpsilonNano>(epsilon * 1e9), 8, k_categories, 0});
  TestFleet fleet{spec, static_cast<std::uint64_t>(1000 * epsilon)};
  const auto empty = HadamardResponseAggregate::open(spec).value();
  auto all = empty;
  double squares = 0, terms = 0;
  for (std::uint32_t first = 0; first < k_reports; first += k_group) {
    auto group = empty;
    for (std::uint32_t device = first; device < first + k_group; ++device) {
      ASSERT_TRUE(
          group.absorb(fleet.report<std::uint32_t>([&](const auto& certified, PrivateCoins& coins, std::uint32_t& out) {
            return hadamard_response(certified, k_present, coins, out);
          })));
    }
    ASSERT_TRUE(all.merge(group).ok());
    const CategoryCounts c = group.close();
    for (std::uint32_t v = 0; v < k_categories; ++v) {
      if (v == k_present) continue;
      squares += c.count[v] * c.count[v] / k_group;
      terms += 1;
    }
  }
  const double coth = 1 / std::tanh(epsilon / 2);
  ASSERT_LT(variance_noise(3, terms / 2, 4), k_variance_precision);
  EXPECT_NEAR(squares / terms / (coth * coth), 1, k_variance_precision);
  RecordProperty("measured", std::to_string(squares / terms));

  const CategoryCounts c = all.close();
  for (std::uint32_t v = 0; v < k_categories; ++v) {
    const double held = v == k_present ? 1 : 0;
    const double variance = k_reports * (coth * coth - held);
    const double reach = bernstein(variance, 1 + coth, 4 * k_categories);
    EXPECT_NEAR(c.count[v], k_reports * held, reach) << "category " << v;
    // The error is taken at the estimated count, which is off by `reach` at most.
    const double reported = c.standard_error[v] * c.standard_error[v];
    EXPECT_NEAR(reported, variance, reach + 1e-6 * k_reports * coth * coth) << "category " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Tabled, HadamardResponseEstimate, testing::Values(.5, 1, 2, 4));

}  // namespace
}  // namespace sotto::analyzer

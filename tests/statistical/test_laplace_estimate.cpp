// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <ostream>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/aggregate/laplace.hpp"
#include "sotto/randomize/laplace.hpp"
#include "statistical_bounds.hpp"
#include "test_fleet.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_comparisons = 4;

struct Cell {
  double epsilon;
  std::uint32_t radius;
  std::int32_t value;
};
void PrintTo(const Cell& c, std::ostream* out) {
  *out << "epsilon " << c.epsilon << " radius " << c.radius << " value " << c.value;
}
class LaplaceEstimate : public testing::TestWithParam<Cell> {};

// The kurtosis of the law is 6 and a little more on a coarse grid: 40,000 reports would leave 1.1 % of standard
// deviation, so more are taken, until 3 % is larger than chance at alpha.
TEST_P(LaplaceEstimate, is_unbiased_with_the_variance_of_the_discrete_law) {
  const Cell cell = GetParam();
  const auto spec = derived(LaplaceSpec{static_cast<EpsilonNano>(cell.epsilon * 1e9), cell.radius, 0});
  const double a = std::exp(-cell.epsilon / (2 * cell.radius)), variance = 2 * a / ((1 - a) * (1 - a));
  const std::uint32_t n = reports_needed(6 + 1 / variance, k_variance_precision, k_comparisons);
  TestFleet fleet{spec, cell.radius + static_cast<std::uint64_t>(1000 * cell.epsilon)};
  auto aggregate = LaplaceAggregate::open(spec).value();
  for (std::uint32_t device = 0; device < n; ++device) {
    ASSERT_TRUE(aggregate.absorb(
        fleet.report<std::uint32_t>([&](const auto& certified, PrivateCoins& coins, std::uint32_t& out) {
          return laplace(certified, cell.value, coins, out);
        })));
  }
  const ScalarMean m = aggregate.close();
  EXPECT_NEAR(m.mean, cell.value, two_sided_z(k_comparisons) * std::sqrt(variance / n) + m.bias_bound);
  EXPECT_LT(m.bias_bound, .01 * cell.radius);
  const double measured = m.standard_error * m.standard_error * n;
  EXPECT_NEAR(measured / variance, 1, k_variance_precision);
  EXPECT_NEAR(m.noise_error * m.noise_error * n / variance, 1, 5e-3);
  RecordProperty("measured", std::to_string(measured));
  RecordProperty("reports", static_cast<int>(n));
}

INSTANTIATE_TEST_SUITE_P(Grid, LaplaceEstimate,
                         testing::Values(Cell{1, 8, 8}, Cell{4, 8, -3}, Cell{8, 8, 0}, Cell{2, 64, -64}));

}  // namespace
}  // namespace sotto::analyzer

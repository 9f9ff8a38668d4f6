// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <ostream>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/aggregate/gaussian.hpp"
#include "sotto/randomize/gaussian.hpp"
#include "statistical_bounds.hpp"
#include "test_fleet.hpp"

namespace sotto::analyzer {
namespace {

constexpr DeltaUnits k_delta = 18446744073709u;  // 10^-6
constexpr double k_comparisons = 2 + 8;          // coordinates

struct Cell {
  EpsilonNano epsilon;
  std::uint32_t radius, dimension;
};
void PrintTo(const Cell& c, std::ostream* out) {
  *out << "epsilon " << c.epsilon / k_epsilon_one << " radius " << c.radius << " dimension " << c.dimension;
}
class GaussianEstimate : public testing::TestWithParam<Cell> {};

// Coordinate j holds (-1)^j G/4, within the ball: nothing is clipped, so the mean is the value itself. Kurtosis 3.
TEST_P(GaussianEstimate, is_unbiased_with_the_variance_of_the_discrete_law) {
  const Cell cell = GetParam();
  const auto spec = derived(GaussianSpec{cell.epsilon, k_delta, cell.radius, 0, cell.dimension});
  std::vector<std::int32_t> values;
  for (std::uint32_t j = 0; j < cell.dimension; ++j) {
    values.push_back((j % 2 == 0 ? 1 : -1) * static_cast<std::int32_t>(cell.radius / 4));
  }
  const std::uint32_t n = reports_needed(3, k_variance_precision, k_comparisons);
  TestFleet fleet{spec, cell.radius + cell.dimension};
  auto a = GaussianAggregate::open(spec).value();
  for (std::uint32_t device = 0; device < n; ++device) {
    ASSERT_TRUE(a.absorb(fleet.report<std::vector<std::int32_t>>(
        [](const auto& certified, PrivateCoins& coins, auto& report) { return gaussian(certified, report, coins); },
        values)));
  }
  const std::vector<ScalarMean> means = a.close();
  const double z = two_sided_z(k_comparisons);
  for (std::uint32_t j = 0; j < cell.dimension; ++j) {
    EXPECT_NEAR(means[j].mean, values[j], z * std::sqrt(spec.variance / static_cast<double>(n)));
    const double measured = means[j].standard_error * means[j].standard_error * n;
    EXPECT_NEAR(measured / spec.variance, 1, k_variance_precision);
    RecordProperty("measured " + std::to_string(j), std::to_string(measured / spec.variance));
    EXPECT_NEAR(means[j].noise_error * means[j].noise_error * n / spec.variance, 1, 1e-6);
  }
}

INSTANTIATE_TEST_SUITE_P(CertifiedPoints, GaussianEstimate,
                         testing::Values(Cell{k_epsilon_one, 8, 1}, Cell{4 * k_epsilon_one, 64, 1},
                                         Cell{8 * k_epsilon_one, 16, 8}));

}  // namespace
}  // namespace sotto::analyzer

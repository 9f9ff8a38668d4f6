// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <ostream>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/aggregate/grr.hpp"
#include "sotto/randomize/grr.hpp"
#include "statistical_bounds.hpp"
#include "test_fleet.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_group = 10;
constexpr double k_comparisons = 16 + 2 * 256;

struct Cell {
  double epsilon;
  std::uint32_t categories, reports;
};
void PrintTo(const Cell& c, std::ostream* out) { *out << "epsilon " << c.epsilon << " categories " << c.categories; }
class GrrEstimate : public testing::TestWithParam<Cell> {};

// A group of 10 reports gives one estimate of each absent category: a count of rare events, of kurtosis 3 + 1/(10 q).
// The variance is known only as well as the events are many; the numbers of reports make chance smaller than 3 % at
// alpha (asserted): 40,000 would leave 1.8 % of standard deviation at epsilon 8.
TEST_P(GrrEstimate, is_unbiased_with_the_variance_of_the_formula) {
  const Cell cell = GetParam();
  const auto spec = derived(GrrSpec{static_cast<EpsilonNano>(cell.epsilon * 1e9), cell.categories, 0});
  TestFleet fleet{spec, cell.categories + cell.reports};
  const auto empty = GrrAggregate::open(spec).value();
  auto all = empty;
  std::vector<double> truth(cell.categories, 0);
  const auto answer_of = [&](std::uint32_t device) { return device % 10 < 7 ? 3 : cell.categories - 1; };
  const auto absent = [&](std::uint32_t v) { return v != 3 && v != cell.categories - 1; };
  double squares = 0, terms = 0;
  for (std::uint32_t first = 0; first < cell.reports; first += k_group) {
    auto group = empty;
    for (std::uint32_t device = first; device < first + k_group; ++device) {
      const std::uint32_t x = answer_of(device);
      truth[x] += 1;
      ASSERT_TRUE(
          group.absorb(fleet.report<std::uint32_t>([&](const auto& certified, PrivateCoins& coins, std::uint32_t& out) {
            return grr(certified, x, coins, out);
          })));
    }
    ASSERT_TRUE(all.merge(group).ok());
    const CategoryCounts c = group.close();
    for (std::uint32_t v = 0; v < cell.categories; ++v) {
      if (!absent(v)) continue;
      squares += c.count[v] * c.count[v] / k_group;
      terms += 1;
    }
  }
  const double e = std::exp(cell.epsilon), p = e / (e + cell.categories - 1), q = (1 - p) / (cell.categories - 1),
               gap = p - q;
  ASSERT_LT(variance_noise(3 + 1 / (k_group * q), terms, 3), k_variance_precision);
  EXPECT_NEAR(squares / terms / ((cell.categories - 2 + e) / ((e - 1) * (e - 1))), 1, k_variance_precision);
  RecordProperty("measured", std::to_string(squares / terms));

  const CategoryCounts c = all.close();
  for (std::uint32_t v = 0; v < cell.categories; ++v) {
    const double variance = (truth[v] * p * (1 - p) + (cell.reports - truth[v]) * q * (1 - q)) / (gap * gap);
    const double reach = bernstein(variance, 1 / gap, k_comparisons);
    EXPECT_NEAR(c.count[v], truth[v], reach) << "category " << v;
    // The error is taken at the estimated count, which is off by `reach` at most.
    const double reported = c.standard_error[v] * c.standard_error[v];
    EXPECT_NEAR(reported, variance, reach * std::abs(1 - p - q) / gap + 1e-6 * variance) << "category " << v;
  }
}

INSTANTIATE_TEST_SUITE_P(Tabled, GrrEstimate,
                         testing::Values(Cell{4, 16, 320000}, Cell{6, 256, 160000}, Cell{8, 256, 480000}));

}  // namespace
}  // namespace sotto::analyzer

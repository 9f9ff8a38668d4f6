// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <array>
#include <cmath>
#include <ostream>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/aggregate/walsh_hash.hpp"
#include "sotto/randomize/walsh_hash.hpp"
#include "statistical_bounds.hpp"
#include "test_fleet.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::array<std::uint8_t, 32> k_seed = {2, 7, 1, 8, 2, 8};
constexpr std::uint32_t k_reports = 40000, k_group = 100;
constexpr double k_comparisons = 10 * 1024;  // cells times categories

struct Cell {
  double epsilon;
  std::uint32_t bits, categories;
  double tabled;  ///< n * Var of an absent category
};
void PrintTo(const Cell& c, std::ostream* out) {
  *out << "epsilon " << c.epsilon << " bits " << c.bits << " categories " << c.categories;
}
class WalshHashEstimate : public testing::TestWithParam<Cell> {};

/// Half of the devices hold category 5, three tenths the middle one, two tenths the last.
std::uint32_t answer_of(std::uint32_t device, std::uint32_t categories) {
  const std::uint32_t part = device % 10;
  return part < 5 ? 5 : part < 8 ? categories / 2 : categories - 1;
}

// A group of 100 reports gives one estimate of each absent category. For random linear masks the estimates of two
// absent categories are uncorrelated, and so are their squares: 400 groups times 253 or more categories are that many
// terms of kurtosis 3 + 1/(100 q) at most, and chance moves their mean square by less than 3 % at alpha (asserted).
TEST_P(WalshHashEstimate, is_unbiased_with_the_tabled_variance) {
  const Cell cell = GetParam();
  const auto spec = derived(WalshHashSpec{static_cast<EpsilonNano>(cell.epsilon * 1e9), cell.categories, cell.bits, 0});
  TestFleet fleet{spec, 1000 * cell.categories + cell.bits};
  const auto empty = WalshHashAggregate::open(spec).value();
  auto all = empty;
  std::vector<bool> present(cell.categories, false);
  std::vector<double> truth(cell.categories, 0);
  double squares = 0, terms = 0;
  for (std::uint32_t first = 0; first < k_reports; first += k_group) {
    std::vector<CoinReport> reports;
    for (std::uint32_t device = first; device < first + k_group; ++device) {
      const std::uint32_t x = answer_of(device, cell.categories);
      truth[x] += 1;
      present[x] = true;
      reports.push_back(
          {device + 1, fleet.report<std::uint32_t>([&](const auto& certified, PrivateCoins& coins, std::uint32_t& out) {
             return walsh_hash(certified, {k_seed.data(), device + 1, 0}, x, coins, out);
           })});
    }
    auto group = empty;
    ASSERT_EQ(group.absorb(k_seed.data(), 0, reports), k_group);
    ASSERT_TRUE(all.merge(group).ok());
    const CategoryCounts c = group.close();
    for (std::uint32_t v = 0; v < cell.categories; ++v) {
      if (present[v]) continue;
      squares += c.count[v] * c.count[v] / k_group;
      terms += 1;
    }
  }
  const double q = std::ldexp(1.0, -static_cast<int>(cell.bits));
  ASSERT_LT(variance_noise(3 + 1 / (k_group * q), terms, 10), k_variance_precision);
  EXPECT_NEAR(squares / terms / cell.tabled, 1, k_variance_precision);
  RecordProperty("measured", std::to_string(squares / terms));

  const double e = std::exp(cell.epsilon), p = e / (e + 1 / q - 1), gap = p - q;
  const CategoryCounts c = all.close();
  double chi = 0;
  for (std::uint32_t v = 0; v < cell.categories; ++v) {
    const double variance = (truth[v] * p * (1 - p) + (k_reports - truth[v]) * q * (1 - q)) / (gap * gap);
    const double reach = bernstein(variance, 1 / gap, k_comparisons);
    EXPECT_NEAR(c.count[v], truth[v], reach) << "category " << v;
    // The error is taken at the estimated count, which is off by `reach` at most.
    const double reported = c.standard_error[v] * c.standard_error[v];
    EXPECT_NEAR(reported, variance, reach * std::abs(1 - p - q) / gap + 1e-6 * variance) << "category " << v;
    chi += (c.count[v] - truth[v]) * (c.count[v] - truth[v]) / variance;
  }
  EXPECT_NEAR(chi / cell.categories, 1, variance_noise(3, cell.categories, 10));
}

INSTANTIATE_TEST_SUITE_P(Tabled, WalshHashEstimate,
                         testing::Values(Cell{.5, 1, 256, 16.671}, Cell{1, 2, 256, 3.692}, Cell{2, 3, 256, .7246},
                                         Cell{3, 4, 256, .2253}, Cell{4, 6, 256, .0764}, Cell{.5, 1, 1024, 16.671},
                                         Cell{1, 2, 1024, 3.692}, Cell{2, 3, 1024, .7246}, Cell{3, 4, 1024, .2253},
                                         Cell{4, 6, 1024, .0764}));

}  // namespace
}  // namespace sotto::analyzer

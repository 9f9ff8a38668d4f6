// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <array>
#include <cmath>
#include <ostream>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/aggregate/vote.hpp"
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/randomize/vote.hpp"
#include "statistical_bounds.hpp"
#include "test_fleet.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::array<std::uint8_t, 32> k_seed = {3, 1, 4, 1, 5};
constexpr std::uint32_t k_reports = 40000;

struct Cell {
  double epsilon;
  std::uint32_t features;
};
void PrintTo(const Cell& c, std::ostream* out) { *out << "epsilon " << c.epsilon << " features " << c.features; }
class VoteEstimate : public testing::TestWithParam<Cell> {};

// Four tenths vote for feature 1, three tenths for the last one, the others for none: some by naming it, some by an
// answer outside the domain. Each share is within Bernstein's bound of the truth, at alpha for all cells and features
// together.
TEST_P(VoteEstimate, recovers_the_shares_and_the_share_of_none) {
  const Cell cell = GetParam();
  const auto proposal = propose_vote(static_cast<EpsilonNano>(cell.epsilon * 1e9), cell.features).value();
  TestFleet fleet{proposal.spec, cell.features + static_cast<std::uint64_t>(1000 * cell.epsilon)};
  auto a = VoteAggregate::open(proposal.spec).value();
  for (std::uint32_t device = 0; device < k_reports; ++device) {
    const std::uint32_t part = device % 10;
    const std::uint32_t x = part < 4 ? 1 : part < 7 ? cell.features - 1 : part < 9 ? cell.features : ~0u;
    const CoinLabel label{k_seed.data(), device, 7};
    ASSERT_TRUE(a.absorb(
        label, fleet.report<std::uint32_t>([&](const auto& certified, PrivateCoins& coins, std::uint32_t& out) {
          return vote(certified, label, x, coins, out);
        })));
  }
  const VoteShares s = a.close();
  ASSERT_EQ(s.share.size(), cell.features);
  const TwoLevel c = channel(proposal.spec);
  const double p = std::ldexp(c.threshold, -32);
  const double q = proposal.spec.bits == 0 ? (1 - p) / (c.outcomes - 1) : 1.0 / c.outcomes;
  const auto expect_share = [&](double share, double error, double truth) {
    const double variance = (truth * p * (1 - p) + (1 - truth) * q * (1 - q)) / ((p - q) * (p - q)) / k_reports;
    const double reach = bernstein(variance, 1 / (p - q) / k_reports, 3 * 1024);
    EXPECT_NEAR(share, truth, reach);
    // The error is taken at the estimated share, which is off by `reach` at most.
    EXPECT_NEAR(error * error, variance, (reach * std::abs(1 - p - q) / (p - q)) / k_reports + 1e-6 * variance);
  };
  for (std::uint32_t v = 0; v < cell.features; ++v) {
    expect_share(s.share[v], s.standard_error[v], v == 1 ? .4 : v == cell.features - 1 ? .3 : 0);
  }
  expect_share(s.none, s.none_standard_error, .3);
}

INSTANTIATE_TEST_SUITE_P(BothOracles, VoteEstimate, testing::Values(Cell{1, 1000}, Cell{4, 40}, Cell{2, 256}));

}  // namespace
}  // namespace sotto::analyzer

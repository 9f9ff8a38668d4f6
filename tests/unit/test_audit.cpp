// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "sotto/analyzer/audit/audit.hpp"
#include "sotto/analyzer/audit/cases.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/two_level.hpp"

namespace sotto::analyzer::audit {
namespace {

// Seeds are fixed, so that every run of these tests sees the same reports.

TEST(Audit, agrees_with_every_randomizer_of_the_device_library) {
  const std::vector<AuditRow> rows = audit_all({});
  std::set<std::string> stems;
  for (const AuditRow& row : rows) {
    SCOPED_TRACE(row.stem + " (" + row.parameters + ") at " + std::to_string(row.epsilon_declared));
    stems.insert(row.stem);
    EXPECT_EQ(verdict_name(row.verdict), "agrees") << "lower bound " << row.epsilon_lower_bound;
    EXPECT_LE(row.epsilon_delivered, row.epsilon_declared);
    EXPECT_GT(row.epsilon_delivered, row.epsilon_declared * (row.delta > 0 ? 0.9 : 1 - 1e-6));
    EXPECT_LE(row.epsilon_lower_bound, row.epsilon_delivered);
    EXPECT_LE(row.epsilon_event, row.epsilon_delivered + 1e-9) << "no event shows more than the mechanism delivers";
    EXPECT_GT(row.epsilon_event, row.epsilon_delivered * (row.delta > 0 ? 0.5 : 0.999));
    if (row.delta == 0) {
      EXPECT_GT(row.epsilon_lower_bound, 0.85 * row.epsilon_declared);
    }
    EXPECT_GT(row.runs, 3 * 3000u);
  }
  EXPECT_EQ(stems.size(), 11u) << "all stems were audited";
  EXPECT_EQ(rows.size(), 22u);
}

TEST(Audit, agrees_under_the_systems_entropy_too) {
  const AuditRow row = audit(category_cases(4 * k_epsilon_one).front(), system_entropy(), 1e-6);
  EXPECT_LE(row.epsilon_lower_bound, row.epsilon_declared);
  EXPECT_GT(row.epsilon_lower_bound, 0);
}

/// A randomizer wired wrongly: it declares epsilon, and runs with the threshold of factor * epsilon.
AuditCase planted(EpsilonNano epsilon, double factor) {
  TwoLevel c{4, 1, 0};
  const auto real = static_cast<EpsilonNano>(static_cast<double>(epsilon) * factor);
  EXPECT_EQ(two_level_threshold(c.outcomes, c.inside, real, c.threshold), Status::ok);
  const double declared = static_cast<double>(epsilon) / k_epsilon_one, e = std::exp(declared);
  return {"planted",
          "",
          declared,
          declared,
          e / (e + 3),
          1 / (e + 3),
          0,
          3 * tabled_runs_aggregated(epsilon),
          [c](bool first, PrivateCoins& coins, bool& hit) {
            hit = grr_report(c, first ? 2 : 3, draw_two_level(coins, c)) == 2;
            return coins.ready();
          }};
}

TEST(Audit, catches_a_threshold_of_one_point_two_epsilon) {
  for (const EpsilonNano epsilon : {1 * k_epsilon_one, 2 * k_epsilon_one, 4 * k_epsilon_one}) {
    FleetEntropy entropy{epsilon};
    EXPECT_EQ(audit(planted(epsilon, 1.2), entropy.source(), 0.001).verdict, Verdict::overspent);
    EXPECT_EQ(audit(planted(epsilon, 1.0), entropy.source(), 0.001).verdict, Verdict::agrees);
    EXPECT_EQ(audit(planted(epsilon, 0.5), entropy.source(), 0.001).verdict, Verdict::weak);
  }
}

TEST(Audit, catches_coins_that_are_never_flipped) {
  AuditCase honest = planted(4 * k_epsilon_one, 1);
  honest.run = [](bool first, PrivateCoins& coins, bool& hit) {
    hit = first;
    return coins.ready();
  };
  FleetEntropy entropy{5};
  EXPECT_EQ(audit(honest, entropy.source(), 0.001).verdict, Verdict::overspent);
}

TEST(Audit, says_when_the_library_refuses) {
  const AuditRow row = audit(category_cases(k_epsilon_one).front(), EntropySource{}, 0.001);
  EXPECT_EQ(row.verdict, Verdict::refused);
  EXPECT_EQ(row.runs, 0u);
  EXPECT_EQ(row.epsilon_lower_bound, 0);
}

TEST(Audit, says_when_the_device_would_not_certify_the_epsilon) {
  for (const EpsilonNano epsilon : {EpsilonNano{0}, k_epsilon_max + 1}) {
    AuditOptions options;
    options.epsilons = {epsilon};
    const std::vector<AuditRow> rows = audit_all(options);
    EXPECT_EQ(rows.size(), 10u) << "all but the Gaussian, which has certified points only";
    for (const AuditRow& row : rows) EXPECT_EQ(row.verdict, Verdict::refused) << row.stem;
  }
}

TEST(Audit, leaves_out_a_gaussian_point_that_is_not_certified) {
  EXPECT_EQ(scalar_cases(3 * k_epsilon_one).size(), 2u);
  EXPECT_EQ(scalar_cases(4 * k_epsilon_one).size(), 3u);
}

}  // namespace
}  // namespace sotto::analyzer::audit

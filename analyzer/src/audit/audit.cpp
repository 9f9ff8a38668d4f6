// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/audit.hpp"

#include <cmath>

#include "sotto/analyzer/audit/cases.hpp"
#include "sotto/analyzer/audit/confidence.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"

namespace sotto::analyzer::audit {

namespace {

/// A bound below this fraction of the expected one means that the case is not set up as stated. Bounds scatter around
/// the expected value by at most a tenth of it (the Gaussian; pure channels by a fiftieth).
constexpr double k_weak_below = 0.7;

bool count_events(const AuditCase& c, const EntropySource& entropy, EventCounts& counts) {
  PrivateCoins coins;
  counts.runs = c.runs;
  for (const bool first : {true, false}) {
    std::uint64_t& hits = first ? counts.first : counts.second;
    for (std::uint64_t i = 0; i < c.runs; ++i) {
      bool hit = false;
      if (coins.begin_report(entropy) != Status::ok || c.run(first, coins, hit) != Status::ok) return false;
      hits += hit ? 1 : 0;
    }
  }
  return true;
}

/// The bound for hit counts equal to their expectations.
double expected_bound(const AuditCase& c, double alpha) {
  const auto hits = [&c](double p) {
    return static_cast<std::uint64_t>(std::llround(p * static_cast<double>(c.runs)));
  };
  return epsilon_lower_bound({hits(c.first_probability), hits(c.second_probability), c.runs}, alpha, c.delta);
}

Verdict judge(double bound, double declared, double expected) {
  if (bound > declared) return Verdict::overspent;
  return bound < k_weak_below * expected ? Verdict::weak : Verdict::agrees;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::overspent: return "overspent";
    case Verdict::weak: return "weak";
    case Verdict::refused: return "refused";
  }
  return "unknown";
}

AuditRow audit(const AuditCase& c, const EntropySource& entropy, double alpha) {
  AuditRow row{c.stem,
               c.parameters,
               c.epsilon_declared,
               c.epsilon_delivered,
               std::log((c.first_probability - c.delta) / c.second_probability),
               0,
               c.delta,
               0,
               alpha,
               Verdict::refused};
  EventCounts counts;
  if (c.runs == 0 || !count_events(c, entropy, counts)) return row;
  row.runs = c.runs;
  row.epsilon_lower_bound = epsilon_lower_bound(counts, alpha, c.delta);
  row.verdict = judge(row.epsilon_lower_bound, row.epsilon_declared, expected_bound(c, alpha));
  return row;
}

std::vector<AuditRow> audit_all(const AuditOptions& options) {
  std::vector<AuditRow> rows;
  std::uint64_t stream = 0;
  for (const EpsilonNano epsilon : options.epsilons) {
    for (const auto& cases : {category_cases(epsilon), direction_cases(epsilon), scalar_cases(epsilon)}) {
      for (AuditCase c : cases) {
        c.runs *= options.runs_factor;
        FleetEntropy seeded{options.seed.value_or(0), stream++};
        rows.push_back(audit(c, options.seed ? seeded.source() : system_entropy(), options.alpha));
      }
    }
  }
  return rows;
}

}  // namespace sotto::analyzer::audit

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "sotto/analyzer/audit/cases.hpp"
#include "sotto/certified.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/two_level_spec.hpp"

// What the audit's cases of different randomizers share.
namespace sotto::analyzer::audit {

inline constexpr std::array<std::uint8_t, 32> k_audit_seed = {'s', 'o', 't', 't', 'o', '-', 'a', 'u', 'd', 'i', 't'};

[[nodiscard]] inline CoinLabel audit_label(std::uint64_t pseudonym) { return {k_audit_seed.data(), pseudonym, 1}; }

[[nodiscard]] inline double nats(EpsilonNano epsilon) {
  return static_cast<double>(epsilon) / static_cast<double>(k_epsilon_one);
}

/// A spec derived and certified at its own epsilon; empty when it is refused, in which case the randomizer refuses too.
template <class Spec>
[[nodiscard]] Certified<Spec> certified_spec(Spec spec) {
  Certified<Spec> out;
  if (derive(spec) == Status::ok) (void)certify(spec, spec.epsilon, out);
  return out;
}

/// The case of a spec that the device refuses: no runs, verdict `refused`.
[[nodiscard]] inline AuditCase refused_case(std::string stem, EpsilonNano epsilon) {
  return {std::move(stem), "refused by certify()", nats(epsilon), 0, 0, 0, 0, 0, nullptr};
}

using Outcomes = std::set<std::uint32_t>;

/// The inside outcomes of one input, listed by calling report(draw) with the coin on the inside for every rank.
template <class Report>
[[nodiscard]] Outcomes inside_outcomes(const TwoLevel& c, Report report) {
  Outcomes out;
  for (std::uint32_t i = 0; i < c.inside; ++i) out.insert(report(TwoLevelDraw{0, i, 0}));
  return out;
}

[[nodiscard]] inline Outcomes without(Outcomes a, const Outcomes& b) {
  for (const std::uint32_t y : b) a.erase(y);
  return a;
}

/// A case of a two-level channel: every outcome of the event is inside for the first input and outside for the second,
/// so the event attains the channel's full epsilon. report(first, coins, y) runs the compiled randomizer.
template <class Spec, class Report>
[[nodiscard]] AuditCase two_level_case(std::string stem, std::string parameters, const Certified<Spec>& spec,
                                       Outcomes event, std::uint64_t runs, Report report) {
  const TwoLevel c = channel(spec.spec());
  const double inside = std::ldexp(static_cast<double>(c.threshold), -32), size = static_cast<double>(event.size());
  return {std::move(stem),
          std::move(parameters),
          nats(spec.spec().epsilon),
          nats(delivered(spec.spec())),
          inside * size / c.inside,
          (1 - inside) * size / (c.outcomes - c.inside),
          0,
          runs,
          [event = std::move(event), report](bool first, PrivateCoins& coins, bool& hit) {
            std::uint32_t y = 0;
            const Status status = report(first, coins, y);
            hit = event.contains(y);
            return status;
          }};
}

}  // namespace sotto::analyzer::audit

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "drawn_sums.hpp"
#include "draws.hpp"
#include "local_answer.hpp"
#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/simulate/synthetic_world.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// How much is drawn for one round, at most.
struct LawEffort {
  double numbers = 1.5e6;        ///< of rows of stand-ins
  std::uint64_t devices = 1200;  ///< stand-ins
};

/// A fleet that answers a round with what the round's aggregate would be, drawn from its law: a few hundred stand-ins
/// say what devices would answer, and the channels' own probabilities say what the sums of their reports would be. A
/// cohort that is no larger than the stand-ins is drawn device by device.
class LawFleet {
 public:
  /// World and manifest must outlive the fleet.
  LawFleet(const SyntheticWorld& world, const Manifest& manifest, double dropout, std::uint64_t seed,
           const LawEffort& effort);

  /// Refuses  plan.no_law: a question, a recipe, a link or a randomizer whose law is not known here.
  Result<RoundAggregate> answer(std::span<const std::uint8_t> round);

 private:
  /// The stand-ins of one round.
  struct Cohort {
    StandIns devices;
    std::uint64_t size = 0;   ///< devices that report
    std::uint64_t drawn = 0;  ///< stand-ins
    [[nodiscard]] bool is_whole() const noexcept { return drawn == size; }
  };
  [[nodiscard]] Cohort cohort_of(const AskedRound& asked);
  Result<RoundAggregate> votes(const AskedRound& asked, const VoteSpec& spec);
  Result<RoundAggregate> direction(const AskedRound& asked, const DirectionError& law);
  Result<RoundAggregate> block(const AskedRound& asked, const BlockSpec& spec);
  Result<RoundAggregate> scalars(const AskedRound& asked, const AnySpec& spec);
  [[nodiscard]] std::vector<std::vector<double>> coordinates(const AskedRound& asked, const Cohort& cohort);

  const SyntheticWorld& world_;
  const Manifest& manifest_;
  std::uint64_t seed_;
  LawEffort effort_;
  Draws draws_;
  std::vector<std::uint64_t> sizes_;  ///< devices of each cohort that report
};

}  // namespace sotto::analyzer

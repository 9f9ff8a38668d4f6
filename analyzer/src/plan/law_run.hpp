// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <functional>
#include <string>

#include "law_fleet.hpp"
#include "sotto/analyzer/plan/outlook.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"

// One run of a protocol on the law of its aggregates: the server's own code, from the study file to the model, without
// a device.
namespace sotto::analyzer {

/// What one fleet would learn, and what it would send.
struct LawOutcome {
  std::string protocol, why_protocol;
  double squared_error = 0, zero = 0;  ///< of the model, and of the zero model: |truth|^2
  double f1 = 0, found = 0;
  double half_width = 0;  ///< mean half width of the intervals; 0: there are none
  double reports = 0, bytes = 0;
  std::size_t rounds = 0;
  std::uint64_t smallest_cohort = 0;  ///< devices expected in it
  double report_bytes = 0;
  DeviceCost device;
  Verdict verdict = Verdict::cannot_learn;
};

/// Answers a round with its sums.
using AnswerRound = std::function<Result<RoundAggregate>(std::span<const std::uint8_t> round)>;

/// Asks a fleet round by round, and adds what it sends to the outcome. A cohort without enough answers ends the run as it
/// would end in the field: without a model.
[[nodiscard]] Result<Done> ask_all(Protocol& protocol, const Manifest& manifest, const AnswerRound& answer,
                                   LawOutcome& out);

/// Refuses  what read_study(), compile_study() and the protocol refuse; plan.no_law.
[[nodiscard]] Result<LawOutcome> run_by_law(const PlannedFleet& fleet, const ProtocolChoice& choice, std::uint64_t seed,
                                            const LawEffort& effort);

/// The study of such a fleet, as `sotto simulate` writes it.
[[nodiscard]] Result<Study> planned_study(const PlannedFleet& fleet, const SyntheticWorld& world,
                                          const ProtocolChoice& choice);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/compare.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/plan/study_request.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

namespace sotto::analyzer {
namespace {

/// The share of the target's variance that a model with this error explains.
struct Explains {
  double all = 0;   ///< of the truth
  double zero = 0;  ///< its squared length
  [[nodiscard]] double with(double error) const {
    return zero > 0 ? std::clamp(all * (1 - error / zero), -1.0, 1.0) : 0;
  }
};

Explains explains_of(const PlannedFleet& fleet, double zero) {
  SyntheticSpec spec = fleet.world;
  spec.seed = 1;
  const SyntheticWorld world(spec);
  const double target = world.target_deviation() * world.target_deviation();
  const double noise = spec.noise.size * spec.noise.size;
  return {target > 0 ? std::max(0.0, target - noise) / target : 0, zero};
}

/// In the unit of Validation::r2(): of four fleets of five.
struct Planned {
  double r2 = 0, low = 0, high = 0;
  double stated = 0;  ///< that the features explain, by the study
};

/// A study states at most how much its features explain, so that less than planned need be no mistake of anybody.
std::string comparison_of(const Planned& planned, const Validation& v) {
  const bool is_less = v.high() < planned.low;
  const char* const word = is_less ? "less than" : v.low() > planned.high ? "more than" : "as much as";
  return fmt::format(
      "{} planned: if the features explain the {:.2f} that the study states, an R2 of {:.2f} ({:.2f} to {:.2f} in four "
      "fleets of five); {:.2f} was measured ({:.2f} to {:.2f}){}",
      word, planned.stated, planned.r2, planned.low, planned.high, v.r2(), v.low(), v.high(),
      is_less ? "; they may explain less" : "");
}

}  // namespace

std::string compare_with_plan(const Study& study, const Model& model) {
  const Validation& v = model.validation;
  const bool is_measured = v.devices > 0 && !v.classes && v.against != Against::zero;
  if (!is_measured || !study.regression || study.regression->link != TargetLink::identity) return {};
  const Result<PlanRequest> request = request_of(study);
  if (!request || request.value().fleet.once || request.value().fleet.everyday) return {};
  const PlannedFleet& fleet = request.value().fleet;
  const ProtocolChoice choice{request.value().protocol, request.value().paper, request.value().label,
                              request.value().way};
  const Result<Outlook> made = outlook_of(fleet, choice, {.effort = 0.3, .fleets = 8});
  if (!made) return {};
  const Outlook& outlook = made.value();
  const Explains explains = explains_of(fleet, outlook.zero);
  return comparison_of(
      {explains.with(outlook.predicted), explains.with(outlook.high), explains.with(outlook.low), explains.all}, v);
}

void tell_plan(const Study& study, Model& model) {
  if (const std::string compared = compare_with_plan(study, model); !compared.empty())
    model.why_verdict += fmt::format("; {}", compared);
}

}  // namespace sotto::analyzer

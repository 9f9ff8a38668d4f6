// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The plan of a study before any device spends its epsilon: what each protocol would learn from this fleet, which one
/// to take, how many devices a goal needs, and how far all of it is from what is possible.

#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/plan/lower_bound.hpp"
#include "sotto/analyzer/plan/outlook.hpp"

namespace sotto::analyzer {

/// What the analyst wants, if anything is stated.
struct PlanGoal {
  std::optional<double> error;   ///< predicted error at most this
  std::optional<double> effect;  ///< a coefficient of this size is found ...
  double power = 0.8;            ///< ... with this chance
};

/// What it would take to reach the goal with everything else as it is; nothing: not even the largest value does.
struct GoalNeeds {
  std::optional<std::uint64_t> devices;
  std::optional<double> epsilon;
};

/// One point of a curve.
struct CurveValue {
  double x = 0;  ///< devices, or epsilon
  double predicted = 0, low = 0, high = 0;
  Prospect prospect = Prospect::cannot_learn;
};

/// One guess that is off.
struct WrongGuess {
  std::string what;  ///< "half the devices"
  double predicted = 0, zero = 0;
  Prospect prospect = Prospect::cannot_learn;
};

struct PlanRequest {
  PlannedFleet fleet;
  std::string protocol = "auto";  ///< "auto": all that could serve are compared
  bool paper = false;
  std::string label = "auto";
  OnceWay way = OnceWay::automatic;
  PlanGoal goal;
  bool with_curves = true, with_guesses = true;
  std::uint64_t seed = 1;
};

struct Plan {
  Outlook recommended;
  std::string why_recommended;
  std::vector<Outlook> protocols;  ///< the recommended one first
  LowerBound bound;
  std::optional<GoalNeeds> needs;  ///< only with a goal
  std::vector<CurveValue> by_devices, by_epsilon;
  std::optional<double> smallest_effect;  ///< that this fleet finds with power 0.8
  std::vector<WrongGuess> guesses;
};

/// Refuses  plan.bad_goal: an error or effect that is not above 0, or a power outside of 0 to 1; what outlook_of()
///          refuses for every protocol; plan.stopped.
[[nodiscard]] Result<Plan> make_plan(const PlanRequest& request);

}  // namespace sotto::analyzer

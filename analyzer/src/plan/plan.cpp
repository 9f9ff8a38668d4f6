// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/plan.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "search.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_searched_min = 10, k_searched_max = 4294967295.0;
constexpr double k_epsilon_low = 0.05, k_epsilon_high = 12;
// Stand-ins and fleets: of a point of a curve, of a step of a search, of a protocol that is only compared.
constexpr OutlookOptions k_point{.effort = 0.15, .fleets = 4}, k_step{.effort = 0.25, .fleets = 8},
    k_row{.effort = 0.35, .fleets = 8};
constexpr double k_default_power = 0.8;
// Another protocol than the one that `auto` takes is recommended if its error is smaller by this factor, and its model is
// called "learned" as often, up to this share of the fleets: a model that nobody may trust is not the better one.
constexpr double k_clearly_better = 0.85, k_as_often = 0.1;

Outlook step_of(const PlannedFleet& fleet, const ProtocolChoice& choice, std::uint64_t seed,
                OutlookOptions options = k_point) {
  options.seed = seed;
  const Result<Outlook> made = outlook_of(fleet, choice, options);
  if (made) return made.value();
  Outlook none;
  none.predicted = none.low = none.high = std::numeric_limits<double>::infinity();
  none.prospect = Prospect::uncertain;  // it could not be planned, which is no verdict on the fleet
  return none;
}

PlannedFleet with_devices(PlannedFleet fleet, double devices) {
  fleet.set_devices(static_cast<std::uint64_t>(std::llround(std::clamp(devices, 1.0, k_searched_max))));
  return fleet;
}

PlannedFleet with_epsilon(PlannedFleet fleet, double epsilon) {
  fleet.set_epsilon(epsilon);
  return fleet;
}

PlannedFleet with_effect(PlannedFleet fleet, double effect) {
  fleet.world.signal = {Signal::Kind::equal, effect};
  fleet.world.effects.clear();
  return fleet;
}

/// What a goal measures, to be made small: the predicted error, or the chance that an effect is missed.
double miss_of(const Outlook& outlook, const PlanGoal& goal) {
  return goal.effect ? 1 - outlook.found : outlook.predicted;
}

std::optional<GoalNeeds> needs_of(const PlanRequest& request, const ProtocolChoice& choice) {
  const PlanGoal& goal = request.goal;
  if (!goal.error && !goal.effect) return {};
  const PlannedFleet fleet = goal.effect ? with_effect(request.fleet, *goal.effect) : request.fleet;
  const double wanted = goal.effect ? 1 - goal.power : *goal.error;
  GoalNeeds out;
  const auto by_devices = [&](double n) -> std::optional<double> {
    return miss_of(step_of(with_devices(fleet, n), choice, request.seed, k_step), goal);
  };
  const auto devices = static_cast<double>(fleet.world.devices);
  if (const auto n = smallest_that(by_devices, wanted, k_searched_min, k_searched_max, devices, 1.05))
    out.devices = static_cast<std::uint64_t>(std::ceil(*n));
  const auto by_epsilon = [&](double e) -> std::optional<double> {
    return miss_of(step_of(with_epsilon(fleet, e), choice, request.seed), goal);
  };
  out.epsilon = smallest_that(by_epsilon, wanted, k_epsilon_low, k_epsilon_high, fleet.epsilon, 1.1);
  return out;
}

/// The protocols that could serve such a fleet: those that learn its coefficients from what its devices hold.
std::vector<ProtocolChoice> candidates(const PlanRequest& request) {
  const SyntheticSpec& world = request.fleet.world;
  std::vector<ProtocolChoice> out;
  for (const ProtocolFacts* facts : protocol_facts()) {
    const bool is_mean = world.task == Task::mean;
    if (facts->everyday || facts->collects_once() || facts->asks_labels || !facts->takes(world.link)) continue;
    if ((facts->learned == Learned::mean) != is_mean) continue;
    if (world.samples_high == 1 && facts->from_all_rows) continue;  // one row has no deviation and no fit
    out.push_back({std::string(facts->name), false, request.label, OnceWay::automatic});
  }
  return out;
}

std::string why_of(const Outlook& best, const Outlook& automatic, std::size_t compared) {
  if (compared < 2) return "it is the one that was asked for";
  if (best.protocol == automatic.protocol) return fmt::format("`auto` takes it: {}", automatic.why);
  return fmt::format("its predicted error is {:.3g}, that of {}, which `auto` takes, {:.3g}", best.predicted,
                     automatic.protocol, automatic.predicted);
}

CurveValue point_of(double x, const Outlook& o) { return {x, o.predicted, o.low, o.high, o.prospect}; }

void draw_curves(const PlanRequest& request, const ProtocolChoice& choice, Plan& plan) {
  const PlannedFleet& fleet = request.fleet;
  for (const double factor : {0.25, 0.5, 1.0, 2.0, 4.0}) {
    const PlannedFleet other = with_devices(fleet, factor * static_cast<double>(fleet.world.devices));
    plan.by_devices.push_back(point_of(static_cast<double>(other.world.devices), step_of(other, choice, request.seed)));
  }
  for (const double factor : {0.25, 0.5, 1.0, 2.0}) {
    const double epsilon = std::clamp(factor * fleet.epsilon, k_epsilon_low, k_epsilon_high);
    plan.by_epsilon.push_back(point_of(epsilon, step_of(with_epsilon(fleet, epsilon), choice, request.seed)));
  }
  if (fleet.everyday || fleet.once) return;  // nothing is found or missed
  // An effect is measured against the noise: within these the search looks.
  constexpr double k_effect_low = 0.01, k_effect_high = 3;
  const double unit = std::max(1e-9, fleet.world.noise.kind == Noise::Kind::student ? 1 : fleet.world.noise.size);
  if (plan.recommended.by != PlannedBy::law) return;  // simulated devices do not tell the share that was found
  const auto missed = [&](double effect) -> std::optional<double> {
    return 1 - step_of(with_effect(fleet, effect), choice, request.seed).found;
  };
  plan.smallest_effect = smallest_that(missed, 1 - k_default_power, k_effect_low * unit, k_effect_high * unit,
                                       fleet.world.signal.kind == Signal::Kind::equal
                                           ? std::max(std::abs(fleet.world.signal.value), k_effect_low * unit)
                                           : 0.3 * unit,
                                       1.15);
}

/// What becomes of the plan if one of the public numbers is off by a factor of two. What the study states stays; what
/// the fleet is, or what is stated of it, changes.
void try_guesses(const PlanRequest& request, const ProtocolChoice& choice, Plan& plan) {
  const auto add = [&](std::string what, const PlannedFleet& fleet) {
    const Outlook o = step_of(fleet, choice, request.seed);
    plan.guesses.push_back({std::move(what), o.predicted, o.zero, o.prospect});
  };
  const PlannedFleet& fleet = request.fleet;
  const auto devices = static_cast<double>(fleet.world.devices);
  for (const double factor : {0.5, 2.0}) {
    const bool is_half = factor < 1;
    PlannedFleet other = with_devices(fleet, factor * devices);
    add(is_half ? "half the devices answer" : "twice the devices answer", other);
    if (fleet.everyday && fleet.everyday->kind == "number") {
      other = fleet;
      other.everyday->range_sd = std::clamp(fleet.everyday->range_sd * factor, 0.1, 10000.0);
      add(is_half ? "the stated range is half as wide" : "the stated range is twice as wide", other);
    }
    if (fleet.everyday || fleet.once) continue;
    other = fleet;
    const auto scaled = [factor](std::uint32_t v) {
      return static_cast<std::uint32_t>(std::clamp(std::round(factor * v), 1.0, 1024.0));
    };
    if (fleet.world.samples_high > 1) {
      other.assumptions.samples = fleet.assumptions.samples.value_or(std::min(1024u, fleet.world.samples_high));
      other.world.samples_low = std::max(2u, scaled(fleet.world.samples_low));
      other.world.samples_high = std::max(2u, scaled(fleet.world.samples_high));
      add(is_half ? "devices hold half the rows" : "devices hold twice the rows", other);
    }
    other = fleet;
    const std::uint32_t stated = fleet.assumptions.sparsity.value_or(fleet.world.nonzeros);
    other.assumptions.sparsity = std::clamp(scaled(stated), 1u, std::min(64u, fleet.world.features));
    if (*other.assumptions.sparsity != stated)
      add(is_half ? "the study states half the sparsity" : "the study states twice the sparsity", other);
    other = fleet;
    other.world.noise.size *= fleet.world.noise.kind == Noise::Kind::student ? 1 : factor;
    if (fleet.world.noise.kind != Noise::Kind::student && fleet.world.noise.size > 0) {
      other.assumptions.noise = fleet.assumptions.noise.value_or(fleet.world.noise.kind == Noise::Kind::uniform
                                                                     ? fleet.world.noise.size / std::sqrt(3.0)
                                                                     : fleet.world.noise.size);
      add(is_half ? "the noise is half as large" : "the noise is twice as large", other);
    }
    other = fleet;
    double length = 0;
    const SyntheticWorld world(fleet.world);
    for (const double b : world.truth()) length += b * b;
    if (length > 0) {
      other.assumptions.norm = factor * fleet.assumptions.norm.value_or(1.25 * std::sqrt(length));
      add(is_half ? "the study states half the norm" : "the study states twice the norm", other);
    }
  }
}

Result<Done> check_goal(const PlanGoal& goal) {
  const auto bad = [](const char* what, double value, const char* fix) {
    return Error{"plan.bad_goal", what, fmt::format("{}", value), fix};
  };
  if (goal.error && !(*goal.error > 0 && std::isfinite(*goal.error)))
    return bad("the wanted error is not above 0", *goal.error, "state a squared error, such as 0.05");
  if (goal.effect && !(*goal.effect > 0 && std::isfinite(*goal.effect)))
    return bad("the wanted effect is not above 0", *goal.effect, "state a coefficient, such as 0.2");
  if (!(goal.power > 0 && goal.power < 1))
    return bad("the wanted power is not between 0 and 1", goal.power, "state a chance, such as 0.8");
  return Done{};
}

}  // namespace

Result<Plan> make_plan(const PlanRequest& request) {
  if (const auto checked = check_goal(request.goal); !checked) return checked.error();
  ProtocolChoice chosen{request.protocol, request.paper, request.label, request.way};
  const Result<Outlook> automatic = outlook_of(request.fleet, chosen, {.seed = request.seed});
  if (!automatic) return automatic.error();
  Plan out;
  out.protocols.push_back(automatic.value());
  if (request.protocol == "auto") {
    for (const ProtocolChoice& choice : candidates(request)) {
      if (choice.protocol == automatic.value().protocol) continue;
      OutlookOptions options = k_row;
      options.seed = request.seed;
      const Result<Outlook> made = outlook_of(request.fleet, choice, options);
      if (made) out.protocols.push_back(made.value());
    }
  }
  std::size_t best = 0;
  for (std::size_t i = 1; i < out.protocols.size(); ++i) {
    const Outlook& o = out.protocols[i];
    if (o.predicted < k_clearly_better * automatic.value().predicted && o.predicted < out.protocols[best].predicted &&
        o.prospect <= out.protocols[best].prospect && o.learned + k_as_often >= automatic.value().learned)
      best = i;
  }
  std::rotate(out.protocols.begin(), out.protocols.begin() + static_cast<std::ptrdiff_t>(best),
              out.protocols.begin() + static_cast<std::ptrdiff_t>(best) + 1);
  out.recommended = out.protocols.front();
  out.why_recommended = why_of(out.recommended, automatic.value(), out.protocols.size());
  chosen.protocol = out.recommended.protocol;
  const ProtocolFacts* const facts = find_protocol(chosen.protocol);
  const bool is_function = facts != nullptr && facts->learned == Learned::function;
  const bool labels = facts != nullptr && facts->asks_labels;
  const PrivateUnit unit = request.fleet.everyday                  ? PrivateUnit::answer
                           : is_function                           ? PrivateUnit::function
                           : labels                                ? PrivateUnit::label
                           : request.fleet.world.samples_high == 1 ? PrivateUnit::row
                                                                   : PrivateUnit::device;
  out.bound = lower_bound_of(request.fleet, unit, out.recommended.metric, out.recommended.zero);
  if (request.goal.effect && out.recommended.by != PlannedBy::law) {
    return Error{"plan.no_effect", "no law says which effects this protocol finds", out.recommended.protocol,
                 "state --want-error, or name another --protocol"};
  }
  out.needs = needs_of(request, chosen);
  if (request.with_curves) draw_curves(request, chosen, out);
  if (request.with_guesses) try_guesses(request, chosen, out);
  if (request.fleet.is_stopped && request.fleet.is_stopped())
    return Error{"plan.stopped", "stopped on request", "", "start again"};
  return out;
}

}  // namespace sotto::analyzer

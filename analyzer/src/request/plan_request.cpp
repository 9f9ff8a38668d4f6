// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "everyday_options.hpp"
#include "simulate_fleet.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/plan/study_request.hpp"
#include "sotto/analyzer/request/plan.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

// What is planned, from options.
namespace sotto::analyzer::request {
namespace {

Error missing(const char* what, const char* fix) { return {"usage", what, "", fix}; }

/// The options that say something of the fleet or the question, and not of the plan.
SimulateOptions of_the_question(SimulateOptions o) {
  constexpr std::array<std::string_view, 5> k_of_the_plan{"--quick", "--rate", "--want-error", "--want-effect",
                                                          "--want-power"};
  std::erase_if(o.given, [&](const std::string& name) { return std::ranges::count(k_of_the_plan, name) > 0; });
  return o;
}

Result<PlanRequest> everyday_request(const SimulateOptions& o) {
  if (const auto wrong = misused_everyday(o)) return *wrong;
  if (o.empty >= 1)
    return Error{"simulate.bad_empty", "no device would have a reading", fmt::format("{}", o.empty),
                 "give --empty a share below 1"};
  PlanRequest out;
  out.fleet.everyday = everyday_of(o);
  out.fleet.world.devices = o.users;
  out.fleet.set_epsilon(o.epsilon);
  return out;
}

/// The fleet that the flags describe.
Result<PlanRequest> flags_request(const PlanOptions& options) {
  const auto completed = with_effects(of_the_question(options.sim));
  if (!completed) return completed.error();
  const SimulateOptions& o = completed.value();
  if (o.epsilon == 0) return missing("--epsilon is missing", "say what one report may spend, in nats");
  if (asks_everyday(o)) return everyday_request(o);
  if (o.users == 0 || o.dim == 0)
    return missing("there is no fleet to plan for", "give a study file, or --users, --dim and --epsilon");
  const ProtocolFacts* const once = once_protocol(o);
  if (o.mechanism != "default" && o.mechanism != "paper" && once == nullptr)
    return Error{"usage", fmt::format("--mechanism {} is of protocols that collect once", o.mechanism), "",
                 "name one with --protocol"};
  if (o.label == "gaussian" && o.delta == 0)
    return missing("Gaussian labels spend a delta", "add --delta 1e-6, or choose another --label");
  const Result<FleetSource> source = once != nullptr ? once_source(o, task_of(*once, o)) : synthetic_source(o);
  if (!source) return source.error();
  PlanRequest out;
  out.fleet.world = source.value().synthetic;
  out.fleet.once = source.value().once;
  out.fleet.once_terms = source.value().once_terms;
  if (once != nullptr) {
    out.fleet.world.devices = o.users;
    out.fleet.world.features = o.dim;
    out.fleet.world.nonzeros = std::min(o.nonzeros, o.dim);
    out.fleet.world.samples_low = out.fleet.world.samples_high = 1;
  }
  out.fleet.set_epsilon(o.epsilon);
  out.fleet.delta = o.delta;
  out.fleet.assumptions = options.assume;
  out.fleet.assumptions.rounds = o.rounds;
  out.fleet.assumptions.validation = o.validation;
  return out;
}

Result<PlanRequest> study_request(const PlanOptions& o) {
  const ProtocolFacts* const named = find_protocol(o.sim.protocol);
  if (named != nullptr && (named->everyday || named->collects_once()))
    return missing("a study says itself what it asks", "leave --protocol out, or the file");
  const Result<std::string> text = o.file == "-" ? read_whole_stdin() : read_whole(o.file);
  if (!text) return text.error();
  const Result<Study> study = read_study(text.value(), o.file == "-" ? "stdin" : o.file);
  if (!study) return study.error();
  Result<PlanRequest> out = request_of(study.value());
  if (!out) return out;
  PlannedFleet& fleet = out.value().fleet;
  if (o.sim.users > 0) fleet.set_devices(o.sim.users);
  if (o.sim.epsilon != 0) fleet.set_epsilon(o.sim.epsilon);
  fleet.world.empty = o.sim.empty;
  if (fleet.once) fleet.once->empty = o.sim.empty;
  if (fleet.everyday) fleet.everyday->empty = o.sim.empty;
  return out;
}

}  // namespace

Result<PlanRequest> plan_request(const PlanOptions& o) {
  Result<PlanRequest> request = o.file.empty() ? flags_request(o) : study_request(o);
  if (!request) return request;
  PlanRequest& out = request.value();
  if (const auto good = epsilon_from_nats(out.fleet.epsilon, "--epsilon"); !good) return good.error();
  out.fleet.dropout = o.sim.dropout;
  if (o.file.empty() || o.sim.protocol != "auto") out.protocol = o.sim.protocol;
  if (o.file.empty()) {  // else the study says it
    out.paper = o.sim.mechanism == "paper";
    out.label = o.sim.label;
    out.way = parse_way(o.sim.mechanism).value_or(OnceWay::automatic);
  }
  out.goal = o.goal;
  out.seed = o.sim.seed;
  out.with_curves = out.with_guesses = !o.quick;
  return request;
}

}  // namespace sotto::analyzer::request

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

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

/// The fleet that the flags describe, in the words of `sotto simulate`.
Result<PlanRequest> flags_request(const PlanOptions& o) {
  if (o.users == 0 || o.dim == 0)
    return missing("there is no fleet to plan for", "give a study file, or --users, --dim and --epsilon");
  if (o.epsilon == 0) return missing("--epsilon is missing", "say what one report may spend, in nats");
  if (o.dim < 2) return Error{"simulate.bad_features", "--dim is too small", "1", "give at least two features"};
  const auto samples = parse_samples(o.samples.empty() ? "100" : o.samples);
  if (!samples) return samples.error();
  const auto signal = parse_signal(o.signal);
  if (!signal) return signal.error();
  const auto noise = parse_noise(o.noise);
  if (!noise) return noise.error();
  const auto design = parse_design(o.design);
  if (!design) return design.error();
  const auto link = parse_link(o.link);
  if (!link) return link.error();
  const ProtocolFacts* const protocol = find_protocol(o.protocol, o.mechanism);
  PlanRequest out;
  out.fleet.world = {.devices = o.users,
                     .samples_low = samples.value().low,
                     .samples_high = samples.value().high,
                     .features = o.dim,
                     .nonzeros = o.nonzeros,
                     .signal = signal.value(),
                     .random_signs = o.signs == "random",
                     .noise = noise.value(),
                     .design = design.value(),
                     .link = link.value(),
                     .empty = o.empty,
                     .task = protocol != nullptr && protocol->learned == Learned::mean ? Task::mean : Task::regression};
  if (const auto checked = check(out.fleet.world); !checked) return checked.error();
  out.fleet.epsilon = o.epsilon;
  out.fleet.delta = o.delta;
  out.fleet.dropout = o.dropout;
  out.fleet.assumptions = o.assume;
  return out;
}

Result<PlanRequest> study_request(const PlanOptions& o) {
  const Result<std::string> text = o.file == "-" ? read_whole_stdin() : read_whole(o.file);
  if (!text) return text.error();
  const Result<Study> study = read_study(text.value(), o.file == "-" ? "stdin" : o.file);
  if (!study) return study.error();
  Result<PlanRequest> out = request_of(study.value());
  if (!out) return out;
  if (o.users > 0) out.value().fleet.world.devices = o.users;
  if (o.epsilon > 0) out.value().fleet.epsilon = o.epsilon;
  out.value().fleet.dropout = o.dropout;
  out.value().fleet.world.empty = o.empty;
  return out;
}

}  // namespace

Result<PlanRequest> plan_request(const PlanOptions& o) {
  Result<PlanRequest> request = o.file.empty() ? flags_request(o) : study_request(o);
  if (!request) return request;
  if (const auto good = epsilon_from_nats(request.value().fleet.epsilon, "--epsilon"); !good) return good.error();
  if (o.file.empty() || o.protocol != "auto") request.value().protocol = o.protocol;
  if (o.file.empty()) {  // else the study says it
    request.value().paper = o.mechanism == "paper";
    request.value().label = o.label;
  }
  request.value().goal = o.goal;
  request.value().seed = o.seed;
  request.value().with_curves = request.value().with_guesses = !o.quick;
  return request;
}

}  // namespace sotto::analyzer::request

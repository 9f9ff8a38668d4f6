// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/study_request.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace sotto::analyzer {

namespace {

/// An everyday question, of a fleet whose answers nobody knows: laws that are usual.
PlanRequest everyday_request(const RegressionTerms& terms) {
  PlanRequest out;
  const EverydayTerms& asked = *terms.everyday;
  EverydayOptions world;
  world.kind = terms.protocol->name;
  world.devices = terms.devices;
  world.epsilon = terms.nats();
  world.samples = std::max(1u, terms.samples);
  world.tight = asked.number.tight;
  world.quantiles = asked.number.quantiles;
  world.bins = asked.number.bins;
  world.periods = asked.periods;
  if (world.tight) world.range_sd = 6;
  constexpr double k_counts_below = 50;  // a study states the largest count generously
  world.mean = std::max(0.1, asked.number.high / k_counts_below);
  world.categories = static_cast<std::uint32_t>(std::max<std::size_t>(2, asked.category.names.size()));
  world.of = asked.top.strings ? "string" : "id64";
  world.length = asked.top.length;
  world.paper = terms.paper;
  out.fleet.everyday = world;
  out.fleet.set_devices(world.devices);
  out.fleet.set_epsilon(world.epsilon);
  out.protocol = world.kind;
  return out;
}

/// A study that collects once, of the world on which such protocols are simulated.
PlanRequest once_request(const RegressionTerms& terms) {
  PlanRequest out;
  const Learned learned = terms.protocol->learned;
  OnceWorldSpec world;
  world.task = learned == Learned::mean             ? OnceTask::mean
               : learned == Learned::function       ? OnceTask::function
               : terms.link == TargetLink::logistic ? OnceTask::logistic
                                                    : OnceTask::linear;
  world.devices = terms.devices + terms.validators;
  world.features = terms.features;
  world.nonzeros = std::min(terms.sparsity, terms.features);
  out.fleet.once = world;
  out.fleet.once_terms = *terms.once;
  out.fleet.world.samples_low = out.fleet.world.samples_high = 1;
  out.fleet.world.features = world.features;
  out.fleet.world.nonzeros = world.nonzeros;
  out.fleet.set_devices(world.devices);
  out.fleet.set_epsilon(terms.nats());
  out.fleet.delta = std::ldexp(static_cast<double>(terms.once->delta), -64);
  out.fleet.assumptions.sparsity = terms.sparsity;
  out.fleet.assumptions.validation = terms.validation;
  out.protocol = terms.protocol->name;
  out.paper = terms.paper;
  out.way = terms.once->way;
  return out;
}

}  // namespace

Result<PlanRequest> request_of(const Study& study) {
  if (!study.regression) {
    return Error{"plan.no_protocol", "the study runs no protocol: its one round is estimated as it is", study.kind,
                 "give a study with [protocol] or an everyday [question]; sotto study says what its reports tell"};
  }
  if (study.regression->everyday) return everyday_request(*study.regression);
  if (study.regression->once) return once_request(*study.regression);
  const RegressionTerms& terms = *study.regression;
  PlanRequest out;
  SyntheticSpec& world = out.fleet.world;
  world.devices = terms.devices + terms.validators;
  world.samples_low = world.samples_high = terms.samples;
  world.features = terms.features;
  world.nonzeros = std::min(terms.sparsity, terms.features);
  world.noise.size = terms.noise;
  world.signal.value = terms.norm / std::sqrt(static_cast<double>(world.nonzeros));
  world.link = terms.link;
  if (terms.correlated) world.design = Design::correlated;
  if (terms.signs) world.design = Design::rademacher;
  if (terms.protocol->learned == Learned::mean) world.task = Task::mean;
  out.fleet.epsilon = terms.nats();
  Assumptions& stated = out.fleet.assumptions;
  stated.samples = terms.samples;
  stated.sparsity = terms.sparsity;
  stated.noise = terms.noise;
  stated.norm = terms.norm;
  stated.correlated = terms.correlated;
  stated.rounds = terms.steps;
  stated.validation = terms.validation;
  stated.units = terms.units;
  out.protocol = terms.protocol->name;
  out.paper = terms.paper;
  return out;
}

std::vector<std::string> warnings_of(const Study& study) {
  std::vector<std::string> out;
  if (!study.regression) return out;
  const RegressionTerms& terms = *study.regression;
  const std::vector<std::uint16_t>& weights = study.terms.weights;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const auto devices = static_cast<double>(terms.devices + terms.validators);
  const double smallest = sum > 0 && !weights.empty() ? devices * std::ranges::min(weights) / sum : devices;
  if (smallest < terms.minimum) {
    out.push_back(
        fmt::format("a cohort of about {:.0f} devices is expected, and a round does not close below {}: expect "
                    "{:.0f} devices, or lower study.minimum",
                    smallest, terms.minimum, std::ceil(devices * terms.minimum / std::max(1e-9, smallest))));
  } else if (smallest < 3) {
    out.push_back(
        fmt::format("a cohort of about {:.0f} devices is expected: its answer is hardly more than that of one "
                    "device; expect more devices, or ask fewer rounds",
                    smallest));
  }
  const Result<PlanRequest> request = request_of(study);
  if (!request) return out;
  const ProtocolChoice choice{request.value().protocol, request.value().paper, request.value().label,
                              request.value().way};
  const Result<Outlook> made = outlook_of(request.value().fleet, choice, {.effort = 0.3, .fleets = 4});
  if (!made || made.value().prospect != Prospect::cannot_learn) return out;
  out.push_back(
      fmt::format("fleets like this learn hardly anything: a squared error of {:.3g} is left of {:.3g}; sotto "
                  "plan says what it would take",
                  made.value().predicted, made.value().zero));
  return out;
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/plan/study_request.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

namespace sotto::analyzer {

Result<PlanRequest> request_of(const Study& study) {
  if (!study.regression || study.regression->everyday || study.regression->once ||
      study.regression->protocol->learned != Learned::coefficients) {
    return Error{"plan.no_protocol", "the study learns no coefficients in rounds", study.kind,
                 "give a study with [protocol] that does; sotto simulate rehearses the others"};
  }
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
                              OnceWay::automatic};
  const Result<Outlook> made = outlook_of(request.value().fleet, choice, {.effort = 0.3, .fleets = 4});
  if (!made || made.value().prospect != Prospect::cannot_learn) return out;
  out.push_back(
      fmt::format("fleets like this learn hardly anything: a squared error of {:.3g} is left of {:.3g}; sotto "
                  "plan says what it would take",
                  made.value().predicted, made.value().zero));
  return out;
}

}  // namespace sotto::analyzer

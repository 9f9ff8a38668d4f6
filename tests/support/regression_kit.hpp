// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cmath>
#include <string_view>
#include <vector>

#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/simulate/synthetic_world.hpp"

// Studies of sparse regression in memory, and worlds that fit them.
namespace sotto::analyzer {

/// What an analyst who guesses well would write about this world.
inline RegressionTerms terms_of(const SyntheticSpec& world, std::string_view protocol, double epsilon, bool paper) {
  RegressionTerms terms;
  terms.devices = world.devices;
  terms.samples = world.samples_high;
  terms.features = world.features;
  terms.sparsity = world.nonzeros;
  terms.norm = 1.2 * world.signal.value * std::sqrt(world.nonzeros);
  terms.noise = world.noise.size;
  terms.epsilon = static_cast<EpsilonNano>(epsilon * 1e9);
  terms.paper = paper;
  choose_protocol(protocol, terms);
  return terms;
}

/// Refuses  what plan_protocol() refuses.
inline Result<Study> study_of(RegressionTerms terms) {
  const Result<ProtocolPlan> plan = plan_protocol(terms);
  if (!plan) return plan.error();
  Study study;
  study.name = "test";
  study.kind = "protocol";
  study.spec = plan.value().first;
  study.regression = terms;
  study.terms.samples = terms.samples;
  study.terms.weights = plan.value().weights;
  study.plan = plan.value();
  return study;
}

inline Result<RegressionRun> run_world(const RegressionTerms& terms, const SyntheticWorld& world, std::uint64_t seed,
                                       double dropout = 0) {
  const Result<Study> study = study_of(terms);
  if (!study) return study.error();
  RegressionRunOptions options;
  options.seed = seed;
  options.dropout = dropout;
  return run_regression(study.value(), world, options);
}

}  // namespace sotto::analyzer

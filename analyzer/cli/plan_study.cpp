// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "plan_study.hpp"

#include <cmath>

#include <fmt/format.h>

namespace sotto::cli {

analyzer::Result<analyzer::PlanRequest> request_of(const analyzer::Study& study) {
  if (!study.regression || study.regression->everyday || study.regression->once ||
      study.regression->protocol->learned != analyzer::Learned::coefficients) {
    return analyzer::Error{"plan.no_protocol", "the study asks nothing that is planned by simulation here", study.kind,
                           "give a study with [protocol] that learns coefficients in rounds; sotto simulate rehearses "
                           "the others"};
  }
  const analyzer::RegressionTerms& terms = *study.regression;
  analyzer::PlanRequest out;
  analyzer::SyntheticSpec& world = out.fleet.world;
  world.devices = terms.devices + terms.validators;
  world.samples_low = world.samples_high = terms.samples;
  world.features = terms.features;
  world.nonzeros = std::min(terms.sparsity, terms.features);
  world.noise.size = terms.noise;
  world.signal.value = terms.norm / std::sqrt(static_cast<double>(world.nonzeros));
  world.link = terms.link;
  if (terms.correlated) world.design = analyzer::Design::correlated;
  if (terms.signs) world.design = analyzer::Design::rademacher;
  out.fleet.epsilon = terms.nats();
  analyzer::Assumptions& stated = out.fleet.assumptions;
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

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../frame/plan_parts.hpp"
#include "sotto/analyzer/propose/defaults.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"
#include "sotto/local/update.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_features_max = 4095;  // a direction has one more coordinate
constexpr double k_devices_per_round = 300;
constexpr std::uint32_t k_rounds_min = 2, k_rounds_max = 6;
// With independent features a few steps reach most of the way. Correlated ones have a few directions of large
// curvature, which need short steps, and many of small curvature, which need many steps.
constexpr std::uint32_t k_steps_plain = 4, k_steps_correlated = 24;
constexpr double k_stiffness = 5, k_growth_plain = 1.5, k_growth_correlated = 3;
constexpr double k_left_shrinks = 0.5;  // factor of the squared distance from one cohort to the next
constexpr double k_keep_per_variable = 4;
// Curvature of the logistic loss: at most 1/4; about 1/5 on average for u near 0 to 1.
constexpr double k_logistic_steepest = 0.25, k_logistic_usual = 0.2;

}  // namespace

Result<FederatedPlan> plan_federated(const RegressionTerms& terms) {
  if (terms.features > k_features_max) {
    return Error{"protocol.too_many_features", "an update is a direction of at most 4095 features",
                 fmt::format("{}", terms.features), "choose features first, for example with cascade"};
  }
  const bool is_class = terms.link == TargetLink::logistic;
  const double n = static_cast<double>(terms.devices), m = terms.samples, d = terms.features, s = terms.sparsity;
  FederatedPlan plan;
  plan.rounds = static_cast<std::uint32_t>(
      std::clamp(std::floor(n / k_devices_per_round), double{k_rounds_min}, double{k_rounds_max}));
  plan.keep = static_cast<std::uint32_t>(std::min(d, std::ceil(k_keep_per_variable * s)));
  plan.local_steps = terms.correlated ? k_steps_correlated : k_steps_plain;
  plan.growth = terms.correlated ? k_growth_correlated : k_growth_plain;
  // m rows of d independent features have a curvature of at most (1 + sqrt(d/m))^2; a step larger than its inverse
  // diverges.
  const double stiffest = (1 + std::sqrt(d / m)) * (1 + std::sqrt(d / m)) * (terms.correlated ? k_stiffness : 1);
  plan.step = 1 / (stiffest * (is_class ? k_logistic_steepest : 1));
  plan.reach = 1 - std::pow(1 - plan.step * (is_class ? k_logistic_usual : 1), plan.local_steps);

  // The expected norm of a difference: the remaining distance, and the noise of a device's own rows on the features it
  // keeps.
  for (std::uint32_t t = 0; t < plan.rounds; ++t) {
    const double left = terms.norm * terms.norm * std::pow(k_left_shrinks, t);
    const double of_row = is_class ? 1 / k_logistic_usual : terms.noise * terms.noise + left;
    plan.radius.push_back(plan.reach * std::sqrt(left + of_row * plan.keep / m));
  }
  const Result<AnySpec> spec = default_direction(terms.epsilon, terms.features + 1);
  if (!spec) return spec.error();
  plan.spec = spec.value();
  const Result<double> variance = direction_variance(terms.epsilon, terms.features);
  if (!variance) return variance.error();
  // snr = n |theta|^2 / (s v ln d), with v the variance of one coordinate of one report: from privacy, and from the
  // other coordinates in the ball.
  const double v = plan.radius[0] * plan.radius[0] / (plan.reach * plan.reach) * (variance.value() + 1 / d);
  const double one = s * v * std::log(std::max(2.0, d)) / (terms.norm * terms.norm);
  plan.snr = n / one;
  plan.needed = static_cast<std::uint64_t>(std::ceil(k_snr_enough * one));
  plan.why = fmt::format("{} local steps of {:.3g} that keep {} of {} features, {} cohorts; signal to noise {:.2g}",
                         plan.local_steps, plan.step, plan.keep, terms.features, plan.rounds, plan.snr);
  if (plan.snr < k_snr_min) {
    plan.hopeless = fmt::format("this fleet is too small: need about {} devices (signal to noise {:.2g}, {} is needed)",
                                plan.needed, plan.snr, k_snr_enough);
  }
  return plan;
}

Result<ProtocolPlan> federated_manifest(const RegressionTerms& terms) {
  const Result<FederatedPlan> plan = plan_federated(terms);
  if (!plan) return plan.error();
  ProtocolPlan out;
  out.own = plan.value();
  out.weights.assign(plan.value().rounds, 1);
  out.questions = question_bits({QuestionKind::update});
  out.first = plan.value().spec;
  out.why = plan.value().why;
  return out;
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The plan of ldp-iht: how many cohorts of which size, the clip of residuals, and whether the signal can exceed the
// noise.
#include "plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../frame/plan_parts.hpp"

namespace sotto::analyzer {
namespace {

// The study's bound on the norm is assumed to be a quarter too large, as a careful analyst would state it.
constexpr double k_length_share = 0.8;
constexpr std::uint32_t k_cohorts_max = 64;  // that fit into a manifest
constexpr double k_devices_min = 30;         // of a cohort
// Default cohorts: the first has a quarter of the devices, because it is asked about everything, and the others are
// equal. With correlated features there are fewer and larger ones.
constexpr std::uint32_t k_rounds = 16, k_rounds_correlated = 6;
constexpr double k_first_share = 0.25, k_first_share_correlated = 0.3, k_devices_of_a_round = 100;
// With correlated features: three tenths of each step, and a decreasing weight of earlier cohorts.
constexpr Trust k_correlated{0.3, 0.7, false};
// A narrow clip adds less noise but is more biased if few coefficients make up a residual, which matters once there is
// signal.
constexpr double k_clip_narrow = 0.6, k_clip_wide = 1, k_snr_wide = 30;
// The paper's algorithm: rounds and step size by signal.
constexpr double k_paper_one_round = 30, k_paper_three_rounds = 50;

double noise_square(const RegressionTerms& terms) { return std::pow(terms.noise / mean_slope(terms), 2); }

/// The noise of a coordinate relative to its share of n answers.
double spread_of_answers(const RegressionTerms& terms, ItemAnswer answer) {
  const double signal = expected_square(terms), p = terms.features;
  if (terms.link == TargetLink::logistic)
    return p * 4 / std::max(signal, 1e-12);  // b x_j has variance 1, its mean is theta/2
  const double rows = answer == ItemAnswer::block ? 1 : terms.samples;
  return (signal * (rows > 1 ? 1 : 0) + (signal + noise_square(terms)) * p / rows) / signal;
}

void plan_paper(const RegressionTerms& terms, ItemPlan& plan) {
  const std::uint32_t rounds = plan.snr < k_paper_one_round ? 1 : plan.snr < k_paper_three_rounds ? 3 : 5;
  plan.shares.assign(terms.steps != 0 ? terms.steps : rounds, 1);
  plan.step = plan.shares.size() == 1 ? 1 : 0.5;
}

void plan_default(const RegressionTerms& terms, ItemPlan& plan) {
  const double n = static_cast<double>(terms.devices);
  const double fits =
      std::clamp(std::floor(n / k_devices_of_a_round), 2.0, 1.0 * (terms.correlated ? k_rounds_correlated : k_rounds));
  const std::uint32_t rounds = terms.steps != 0 ? terms.steps : static_cast<std::uint32_t>(fits);
  const double first = std::max(1.0 / rounds, terms.correlated ? k_first_share_correlated : k_first_share);
  plan.shares.assign(rounds, rounds > 1 ? (1 - first) / (rounds - 1) : 1);
  plan.shares.front() = first;
  plan.clip = plan.answer == ItemAnswer::block && plan.snr < k_snr_wide ? k_clip_narrow : k_clip_wide;
  if (terms.correlated) plan.trust = k_correlated;
}

}  // namespace

double expected_square(const RegressionTerms& terms) { return std::pow(k_length_share * terms.norm, 2); }

Result<ItemPlan> plan_item(const RegressionTerms& terms) {
  const double n = static_cast<double>(terms.devices);
  const double fits = std::min<double>(k_cohorts_max, std::floor(n / k_devices_min));
  if (fits < 1) return small_fleet(terms, k_devices_min);
  if (terms.steps > fits) {
    return Error{"protocol.too_many_rounds",
                 "every cohort of ldp-iht needs 30 devices, and a manifest has room for 64 cohorts",
                 fmt::format("{} rounds for {} devices", terms.steps, terms.devices),
                 fmt::format("ask for at most {:.0f} rounds", fits)};
  }
  ItemPlan plan;
  plan.answer = terms.paper                         ? ItemAnswer::hemisphere
                : terms.signs && terms.samples == 1 ? ItemAnswer::block
                                                    : ItemAnswer::direction;
  const Result<double> efficiency = item_efficiency(terms, plan.answer, terms.features);
  if (!efficiency) return efficiency.error();
  const double needed =
      terms.sparsity * spread_of_answers(terms, plan.answer) / efficiency.value();  // devices for an snr of 1
  plan.snr = n / needed;
  terms.paper ? plan_paper(terms, plan) : plan_default(terms, plan);
  if (plan.snr < k_item_snr_min) {
    plan.hopeless = fmt::format(
        "this fleet is too small: a coefficient of the expected size has a signal of {:.2g} times its noise "
        "variance, "
        "and below {:g} the answer would be worse than none. Need about {:.0f} devices, or a larger epsilon",
        plan.snr, k_item_snr_min, std::ceil(k_item_snr_sure * needed));
  }
  return plan;
}

Result<ProtocolPlan> item_manifest(const RegressionTerms& terms) {
  const Result<ItemPlan> plan = plan_item(terms);
  if (!plan) return plan.error();
  ItemQuestion first{plan.value().answer, std::vector<std::uint32_t>(terms.features), true, {}, 1};
  const Result<RoundDraft> draft = draft_item(terms, first, 1, 0);
  if (!draft) return draft.error();
  ProtocolPlan out;
  out.own = plan.value();
  out.weights = share_weights(plan.value().shares);
  out.questions = question_bits({draft.value().question});
  out.first = draft.value().spec;
  return out;
}

}  // namespace sotto::analyzer

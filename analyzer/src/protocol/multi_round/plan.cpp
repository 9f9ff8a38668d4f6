// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "plan.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../estimate/accelerated.hpp"
#include "../frame/plan_parts.hpp"
#include "../rounds/ballot.hpp"
#include "sotto/choices.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_cohorts_max = 64;  // that fit into a manifest
constexpr int k_parts = 20, k_vote_min = 4, k_vote_max = 16;

std::uint32_t questions_a_step(const RegressionTerms& terms) { return terms.paper ? 2 : 1; }

/// The largest T with two devices for each coordinate of each question.
std::uint32_t most_steps(const RegressionTerms& terms, double vote) {
  const std::uint32_t size = most_chosen(terms), questions = questions_a_step(terms);
  const double needed = 2.0 * questions * (terms.paper ? rotated_size(size) : size);
  const double fit = std::floor((1 - vote) * static_cast<double>(terms.devices) / needed);
  const std::uint32_t by_cohorts = (k_cohorts_max - 1) / questions;
  return static_cast<std::uint32_t>(std::min<double>(fit, by_cohorts));
}

std::uint32_t paper_steps(const RegressionTerms& terms, double vote) {
  const double n = (1 - vote) * static_cast<double>(terms.devices);
  const double wanted = std::min(n, std::sqrt(n * terms.samples) * terms.nats());
  return std::min(most_steps(terms, vote), static_cast<std::uint32_t>(std::max(1.0, wanted)));
}

/// `variance` is n times the variance that privacy adds to a coordinate of a direction of radius 1.
Result<double> predicted_error(const RegressionTerms& terms, const MultiRoundPlan& plan, double variance) {
  const std::uint32_t size = most_chosen(terms);
  AcceleratedDescent descent(0, step_size(terms, size), terms.norm);
  for (std::uint32_t t = 0; t < plan.steps; ++t) {
    const double left = descent.left(), radius = gradient_radius(terms, size, left);
    double noise = (radius * radius * variance * size + (terms.noise * terms.noise + left) * size / terms.samples) /
                   plan.devices_a_question(terms);
    if (terms.paper) {
      const Result<CoordinatePlan> bins =
          plan_coordinates(terms, plan.channel, gradient_facts(terms, plan, size, t == 0 ? 0 : terms.norm));
      if (!bins) return bins.error();
      noise = bins.value().predicted;
    }
    descent.move({}, {}, noise);
  }
  return descent.result_error();
}

Error too_many_rounds(const RegressionTerms& terms, std::uint32_t most) {
  return {"protocol.too_many_rounds", "every step of multi-round needs two devices for every coordinate",
          fmt::format("{} steps for {} devices and {} variables", terms.steps, terms.devices, most_chosen(terms)),
          fmt::format("ask for at most {} steps", most)};
}

}  // namespace

double MultiRoundPlan::devices_a_question(const RegressionTerms& terms) const {
  return (1 - vote) * static_cast<double>(terms.devices) / (steps * questions_a_step(terms));
}

double step_size(const RegressionTerms& terms, std::size_t variables) {
  const double k = static_cast<double>(variables);
  return 1 / ((terms.correlated ? std::min(k, 3.0) : 1.0) + k / terms.samples);
}

double gradient_radius(const RegressionTerms& terms, std::size_t variables, double left) {
  return std::sqrt(left + (terms.noise * terms.noise + left) * static_cast<double>(variables) / terms.samples);
}

CoordinateFacts gradient_facts(const RegressionTerms& terms, const MultiRoundPlan& plan, std::size_t variables,
                               double query_length) {
  const double reach = terms.norm + query_length;
  const double spread = std::sqrt((terms.noise * terms.noise + terms.norm * terms.norm) / terms.samples);
  const double devices = plan.devices_a_question(terms);
  return {static_cast<std::uint32_t>(variables), reach, spread, devices, devices};
}

Result<MultiRoundPlan> plan_multi_round(const RegressionTerms& terms) {
  MultiRoundPlan trial;
  double variance = 0;
  if (terms.paper) {
    Result<ValueChannel> channel = value_channel(terms);
    if (!channel) return channel.error();
    trial.channel = std::move(channel).value();
  } else {
    const Result<double> law = direction_variance(terms.epsilon, most_chosen(terms));
    if (!law) return law.error();
    variance = law.value();
  }
  MultiRoundPlan best;
  bool found = false;
  std::uint32_t largest = 0;
  for (int vote = k_vote_min; vote <= k_vote_max; ++vote) {
    if (terms.paper && vote != k_parts / 2) continue;
    trial.vote = vote / (1.0 * k_parts);
    const Result<double> missed = missed_by_votes(terms, trial.vote * static_cast<double>(terms.devices));
    if (!missed) return missed.error();
    const std::uint32_t most = most_steps(terms, trial.vote);
    largest = std::max(largest, most);
    const std::uint32_t wanted = terms.steps != 0 ? terms.steps : terms.paper ? paper_steps(terms, trial.vote) : 0;
    for (std::uint32_t steps = std::max(1u, wanted); steps <= (wanted != 0 ? std::min(wanted, most) : most); ++steps) {
      trial.steps = steps;
      const Result<double> rest = predicted_error(terms, trial, variance);
      if (!rest) return rest.error();
      trial.predicted = missed.value() + rest.value();
      if (found && trial.predicted >= best.predicted) continue;
      best = trial;
      found = true;
    }
  }
  if (largest == 0) {
    const std::uint32_t size = most_chosen(terms);
    return small_fleet(terms, terms.paper ? 8.0 * rotated_size(size) : 2.0 * size * k_parts / (k_parts - k_vote_min));
  }
  if (!found) return too_many_rounds(terms, largest);
  best.predicted = std::min(best.predicted, terms.norm * terms.norm);
  return best;
}

Result<ProtocolPlan> multi_round_manifest(const RegressionTerms& terms) {
  const Result<MultiRoundPlan> plan = plan_multi_round(terms);
  if (!plan) return plan.error();
  const std::uint32_t questions = plan.value().steps * questions_a_step(terms);
  std::vector<double> shares(1 + questions, (1 - plan.value().vote) / questions);
  shares.front() = plan.value().vote;
  ProtocolPlan out;
  out.own = plan.value();
  out.weights = share_weights(shares);
  out.questions = terms.paper ? question_bits({QuestionKind::vote, QuestionKind::bin, QuestionKind::value})
                              : question_bits({QuestionKind::vote, QuestionKind::direction});
  out.predicted_error = plan.value().predicted;
  const Result<RoundDraft> first = draft_ballot(terms, 1, 0);
  if (!first) return first.error();
  out.first = first.value().spec;
  return out;
}

}  // namespace sotto::analyzer

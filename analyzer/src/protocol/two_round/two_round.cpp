// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "two_round.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "../frame/plan_parts.hpp"
#include "../rounds/last_cohort.hpp"
#include "../rounds/selection.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/choices.hpp"

namespace sotto::analyzer {
namespace {

/// Local least squares around 0: its mean are the coefficients, no longer than the norm. A random rotation of a vector
/// of this norm keeps all P coordinates below norm * sqrt(2 ln(40 P) / P) with probability 95 %; the paper allows for
/// the whole norm.
CoordinateFacts facts_for(const RegressionTerms& terms, const TwoRoundPlan& shares, std::size_t size) {
  const double coordinates = rotated_size(static_cast<std::uint32_t>(size)), rows = terms.samples;
  const double reach = terms.paper ? 1 : std::min(1.0, std::sqrt(2 * std::log(40 * coordinates) / coordinates));
  const double spread = terms.noise / std::sqrt(std::max(1.0, rows - static_cast<double>(size) - 1));
  const double n = static_cast<double>(terms.devices);
  return {static_cast<std::uint32_t>(size), reach * terms.norm, spread, shares.bin * n, shares.value * n};
}

}  // namespace

TwoRound::TwoRound(const RegressionTerms& terms, TwoRoundPlan plan, const Manifest& manifest)
    : RoundProtocol(terms, manifest), plan_(std::move(plan)), seed_(manifest.seed) {}

Result<RoundDraft> TwoRound::draft() {
  if (step_ == Step::vote) return draft_ballot(terms_, number(), cohort());
  if (step_ == Step::value)
    return draft_coordinate(terms_, QuestionKind::value, plan_.channel.spec, question_, number(), cohort());
  const Result<CoordinatePlan> bins =
      plan_coordinates(terms_, plan_.channel, facts_for(terms_, plan_, ballot_.chosen.size()));
  if (!bins) return bins.error();
  misplaced_ = bins.value().misplaced;
  question_ = {};
  question_.ranges.push_back({-bins.value().range, bins.value().range});
  for (const std::uint32_t j : ballot_.chosen) question_.centre.push_back({j, 0});
  return draft_coordinate(terms_, QuestionKind::bin, bins.value().bin, question_, number(), cohort());
}

Result<Done> TwoRound::record(const RoundAggregate& aggregate) {
  const std::string recipe(recipe_name(Recipe::least_squares));
  const auto size = static_cast<std::uint32_t>(ballot_.chosen.size());
  if (step_ == Step::vote) {
    ballot_ = read_ballot(terms_, aggregate, model_);
    step_ = ballot_.chosen.empty() ? Step::done : Step::bin;
  } else if (step_ == Step::bin) {
    model_.rounds.push_back({2, "bin", recipe, size, question_.ranges.front().high, aggregate.used(), 0});
    question_.ranges = read_bins(question_, aggregate.coordinates(), dilution_of(model_));
    step_ = Step::value;
  } else {
    mean_ = read_values(question_, aggregate.coordinates(), dilution_of(model_), seed_);
    const double half = (question_.ranges.front().high - question_.ranges.front().low) / 2;
    model_.rounds.push_back({3, "value", recipe, size, half, mean_.used, mean_.noise_error});
    // The spread of reports does not show the error of a wrong range, so it is added.
    mean_.standard_error = std::hypot(mean_.standard_error, std::sqrt(misplaced_));
    step_ = Step::done;
  }
  return Done{};
}

Model TwoRound::model() const {
  Model out = model_;
  if (mean_.mean.empty()) {
    say_nothing_stands_out(terms_, ballot_, out);
    return out;
  }
  const double variables = static_cast<double>(mean_.mean.size());
  const double error = mean_.standard_error * mean_.standard_error, noise = mean_.noise_error * mean_.noise_error;
  const std::vector<double> best = terms_.paper ? mean_.mean : shrunken(terms_, mean_.mean, variables * error);
  for (std::size_t i = 0; i < best.size(); ++i) {
    Coefficient c;
    c.feature = ballot_.chosen[i];
    c.estimate = best[i];
    c.last_cohort = mean_.mean[i];
    c.standard_error = mean_.standard_error;
    put_interval(mean_.freedom, c);
    out.coefficients.push_back(c);
  }
  out.error.privacy = variables * std::min(noise, error);
  out.error.sampling = variables * std::max(0.0, error - noise);
  confirm(out);
  keep_support(out);
  say_what_was_confirmed(best.size(), out);
  return out;
}

Result<TwoRoundPlan> plan_two_round(const RegressionTerms& terms) {
  const Result<ValueChannel> channel = value_channel(terms);
  if (!channel) return channel.error();
  const double n = static_cast<double>(terms.devices), most = terms.norm * terms.norm;
  const std::uint32_t size = most_chosen(terms);
  TwoRoundPlan best;
  bool found = false;
  constexpr int k_parts = 20;
  for (int vote = 4; vote <= 16; ++vote) {
    for (int bin = 1; vote + bin < k_parts; ++bin) {
      if (terms.paper && (vote != k_parts / 2 || bin != k_parts / 4)) continue;
      TwoRoundPlan plan{vote / (1.0 * k_parts), bin / (1.0 * k_parts), (k_parts - vote - bin) / (1.0 * k_parts), 0,
                        channel.value()};
      if (std::min(plan.bin, plan.value) * n < 2.0 * rotated_size(size)) continue;
      const Result<double> missed = missed_by_votes(terms, plan.vote * n);
      if (!missed) return missed.error();
      const Result<CoordinatePlan> rest = plan_coordinates(terms, channel.value(), facts_for(terms, plan, size));
      if (!rest) return rest.error();
      plan.predicted = missed.value() + rest.value().predicted;
      if (found && plan.predicted >= best.predicted) continue;
      best = std::move(plan);
      found = true;
    }
  }
  if (!found) return small_fleet(terms, (terms.paper ? 8.0 : 5.0) * rotated_size(size));
  best.predicted = std::min(best.predicted, most);
  return best;
}

Result<ProtocolPlan> two_round_manifest(const RegressionTerms& terms) {
  const Result<TwoRoundPlan> plan = plan_two_round(terms);
  if (!plan) return plan.error();
  ProtocolPlan out;
  out.own = plan.value();
  out.weights = share_weights(std::array{plan.value().vote, plan.value().bin, plan.value().value});
  out.questions = question_bits({QuestionKind::vote, QuestionKind::bin, QuestionKind::value});
  out.predicted_error = plan.value().predicted;
  const Result<RoundDraft> first = draft_ballot(terms, 1, 0);
  if (!first) return first.error();
  out.first = first.value().spec;
  return out;
}

}  // namespace sotto::analyzer

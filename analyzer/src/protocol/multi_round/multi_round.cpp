// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "multi_round.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "../rounds/last_cohort.hpp"
#include "../rounds/selection.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"

namespace sotto::analyzer {
namespace {

double length_of(const std::vector<double>& vector) {
  double squares = 0;
  for (const double v : vector) squares += v * v;
  return std::sqrt(squares);
}

double sum_of_squares(const std::vector<double>& vector) { return length_of(vector) * length_of(vector); }

std::vector<double> values_of(const Entries& entries) {
  std::vector<double> out;
  for (const Entry& entry : entries) out.push_back(entry.value);
  return out;
}

}  // namespace

MultiRound::MultiRound(const RegressionTerms& terms, MultiRoundPlan plan, const Manifest& manifest)
    : RoundProtocol(terms, manifest), plan_(std::move(plan)), seed_(manifest.seed), descent_(0, 1, terms.norm) {}

bool MultiRound::is_over() const {
  const std::size_t asked = closed() == 0 ? 0 : closed() - 1;
  return closed() > 0 && (ballot_.chosen.empty() || asked == plan_.steps * (terms_.paper ? 2u : 1u));
}

Result<RoundDraft> MultiRound::draft() {
  if (closed() == 0) return draft_ballot(terms_, number(), cohort());
  const std::size_t size = ballot_.chosen.size();
  Entries at;
  for (std::size_t i = 0; i < size; ++i) at.push_back({ballot_.chosen[i], descent_.query()[i]});
  if (!terms_.paper) {
    direction_ = {LocalAnswer::gradient, gradient_radius(terms_, size, descent_.left()), at};
    return draft_direction(terms_, direction_, number(), cohort());
  }
  if (!asks_bins())
    return draft_coordinate(terms_, QuestionKind::value, plan_.channel.spec, coordinate_, number(), cohort());
  const Result<CoordinatePlan> bins =
      plan_coordinates(terms_, plan_.channel, gradient_facts(terms_, plan_, size, length_of(descent_.query())));
  if (!bins) return bins.error();
  misplaced_ = bins.value().misplaced;
  coordinate_ = {LocalAnswer::gradient, at, {{-bins.value().range, bins.value().range}}};
  return draft_coordinate(terms_, QuestionKind::bin, bins.value().bin, coordinate_, number(), cohort());
}

void MultiRound::written(const RoundDraft& draft) { direction_.centre = coordinate_.centre = draft.model; }

std::uint32_t MultiRound::minimum() const {
  // A step was planned with two devices for each coordinate; with fewer than one there is no mean.
  const std::uint64_t needed =
      closed() == 0 ? terms_.minimum : std::min<std::uint64_t>(terms_.minimum, ballot_.chosen.size());
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(2, needed));
}

Result<Done> MultiRound::record(const RoundAggregate& aggregate) {
  if (closed() == 0) {
    ballot_ = read_ballot(terms_, aggregate, model_);
    descent_ = AcceleratedDescent(ballot_.chosen.size(), step_size(terms_, ballot_.chosen.size()), terms_.norm);
  } else if (!terms_.paper) {
    close_direction(aggregate);
  } else if (asks_bins()) {
    close_bins(aggregate);
  } else {
    close_values(aggregate);
  }
  return Done{};
}

void MultiRound::close_direction(const RoundAggregate& aggregate) {
  last_ = read_direction(direction_, aggregate.direction());
  divide_out_empty(model_, last_);
  freedom_ = static_cast<double>(last_.used) - 1;
  model_.rounds.push_back(record_of(number(), direction_, last_));
  move(sum_of_squares(last_.standard_error));
}

void MultiRound::close_bins(const RoundAggregate& aggregate) {
  model_.rounds.push_back({number(), "bin", std::string(recipe_name(Recipe::gradient)),
                           static_cast<std::uint32_t>(ballot_.chosen.size()), coordinate_.ranges.front().high,
                           aggregate.used(), 0});
  coordinate_.ranges = read_bins(coordinate_, aggregate.coordinates(), dilution_of(model_));
}

void MultiRound::close_values(const RoundAggregate& aggregate) {
  CoordinateMean mean = read_values(coordinate_, aggregate.coordinates(), dilution_of(model_), seed_);
  const Interval& range = coordinate_.ranges.front();
  const std::size_t size = mean.mean.size();
  last_.mean = std::move(mean.mean);
  last_.standard_error.assign(size, mean.standard_error);
  last_.noise_error.assign(size, mean.noise_error);
  last_.used = mean.used;
  freedom_ = mean.freedom;
  model_.rounds.push_back({number(), "value", std::string(recipe_name(Recipe::gradient)),
                           static_cast<std::uint32_t>(size), (range.high - range.low) / 2, mean.used,
                           mean.noise_error});
  // The spread of reports does not show the error of a wrong range, so it is added.
  for (double& error : last_.standard_error) error = std::hypot(error, std::sqrt(misplaced_));
  move(sum_of_squares(last_.standard_error));
}

void MultiRound::move(double noise) {
  const std::vector<double> at = values_of(direction_.centre);
  descent_.move(at, last_.mean, noise);
  for (std::size_t i = 0; i < at.size(); ++i) last_.mean[i] += at[i];
}

/// From the last step alone: its centre plus the mean gradient. This is the coefficient if features are independent.
/// Otherwise gradients mix correlated features, and no interval is given.
Coefficient MultiRound::coefficient(std::size_t i) const {
  const std::vector<double> no_guess(last_.mean.size(), 0.0);
  Coefficient out = coefficient_of({ballot_.chosen, last_.mean, last_.standard_error, no_guess, 0, last_.used}, i);
  put_interval(freedom_, out);
  if (terms_.correlated) {
    out.standard_error = out.low = out.high = std::numeric_limits<double>::quiet_NaN();
    out.p_value = 1;
  }
  return out;
}

Model MultiRound::model() const {
  Model out = model_;
  if (ballot_.chosen.empty()) {
    say_nothing_stands_out(terms_, ballot_, out);
    return out;
  }
  const std::vector<double> best =
      terms_.paper ? descent_.result() : shrunken(terms_, descent_.result(), descent_.result_noise());
  for (std::size_t i = 0; i < best.size(); ++i) {
    Coefficient c = coefficient(i);
    c.feature = ballot_.chosen[i];
    c.estimate = best[i];
    out.coefficients.push_back(c);
  }
  const double noise = sum_of_squares(last_.noise_error) / std::max(1e-300, sum_of_squares(last_.standard_error));
  out.error.privacy = descent_.result_noise() * std::min(1.0, noise);
  out.error.sampling = descent_.result_noise() - out.error.privacy;
  confirm(out);
  keep_support(out);
  say_what_was_confirmed(best.size(), out);
  if (terms_.correlated && !out.coefficients.empty())
    out.why_verdict = "features go along with each other, so that gradients confirm no single variable";
  return out;
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "once.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../frame/plan_parts.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/math/normal.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_q24_one = 16777216.0, k_q15_one = 32768.0;

constexpr double k_too_far = 0.9;  // from this relative error on there is no model

double two_sided(double z) { return std::erfc(std::abs(z) / std::sqrt(2.0)); }

}  // namespace

namespace {

/// With two digits, the precision of a prediction: 31000, not 3.1e+04.
std::string about(double devices) {
  const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(devices)) - 1));
  return fmt::format("{:.0f}", unit * std::ceil(devices / unit));
}

/// Whether the fleet may learn something if the prediction is too large by its slack.
Result<Done> worth_asking(const RegressionTerms& terms, const OnceAsk& ask) {
  if (ask.predicted < k_too_far * ask.slack) return Done{};
  // Of all devices, also those that only measure.
  const std::uint64_t all = terms.devices + terms.validators;
  const double needed =
      ask.needed * static_cast<double>(all) / static_cast<double>(std::max<std::uint64_t>(1, terms.devices));
  const bool bent = terms.protocol->takes(TargetLink::logistic) && terms.once->degree > 1;  // polynomial loss
  return Error{
      "protocol.small_fleet",
      fmt::format("reports by {} are too noisy for this fleet: devices would be asked for nothing", way_name(ask.way)),
      fmt::format("{} devices, about {} needed at {:g} nats", all, about(needed), terms.nats()),
      bent ? "enrol more devices, or write a lower degree" : "enrol more devices, or allow a larger epsilon"};
}

/// The question of one way.
Result<OnceAsk> ask_by(const RegressionTerms& terms, OnceWay way, AskOnce ask_one) {
  if (std::ranges::find(terms.protocol->ways, way) == terms.protocol->ways.end())
    return no_way(terms, way, fmt::format("{} does not know this way", terms.protocol->name),
                  "leave the mechanism out: the best one is found");
  Result<OnceAsk> ask = ask_one(terms, way);
  if (!ask) return ask;
  ask.value().draft.number = 1;
  ask.value().draft.cohort = 0;
  return ask;
}

/// The smallest predicted error of the ways that the study allows. Sets the way and the reason.
Result<OnceAsk> best_way(RegressionTerms& terms, AskOnce ask_one) {
  std::optional<Error> refused;
  std::optional<OnceAsk> best;
  std::string compared;
  for (const OnceWay each : terms.protocol->ways) {
    Result<OnceAsk> ask = ask_by(terms, each, ask_one);
    if (!ask) {
      if (!refused) refused = ask.error();
      compared += fmt::format("{}{}: {}", compared.empty() ? "" : "; ", way_name(each), ask.error().what);
      continue;
    }
    compared += fmt::format("{}{}: {:.2f}", compared.empty() ? "" : "; ", way_name(each), ask.value().predicted);
    if (!best || ask.value().predicted < best->predicted) best = std::move(ask).value();
  }
  if (!best) return *refused;
  terms.once->way = best->way;
  terms.why_protocol = fmt::format("{}; way {}, whose predicted error is the least, 1 being no model at all ({})",
                                   terms.why_protocol, way_name(best->way), compared);
  return *best;
}

}  // namespace

Result<ProtocolPlan> plan_once(RegressionTerms& terms, AskOnce ask_one) {
  const bool is_open = terms.once->way == OnceWay::automatic;
  const Result<OnceAsk> ask = is_open ? best_way(terms, ask_one) : ask_by(terms, terms.once->way, ask_one);
  if (!ask) return ask.error();
  if (const auto hope = worth_asking(terms, ask.value()); !hope) return hope.error();
  ProtocolPlan plan{{1}, question_bits({ask.value().draft.question}), ask.value().draft.spec};
  plan.predicted_error = ask.value().predicted * ask.value().predicted * terms.norm * terms.norm;
  plan.own = ask.value();
  return plan;
}

Result<Done> Once::record(const RoundAggregate& aggregate) {
  Model model = model_;
  model.rounds.push_back({1, std::string(question_name(ask_.draft.question)),
                          std::string(recipe_name(ask_.draft.recipe)), terms_.features, 0, aggregate.used(), 0});
  if (const auto learned = learn(aggregate, model); !learned) return learned.error();
  model_ = std::move(model);
  return Done{};
}

double Once::feature_step() const {
  return ask_.draft.parameter[recipe::record::radius] / k_q24_one / ask_.draft.parameter[recipe::record::feature_steps];
}
double Once::target_step() const {
  return ask_.draft.parameter[recipe::record::target_bound] / k_q15_one /
         ask_.draft.parameter[recipe::record::target_steps];
}

void add_coefficient(std::uint32_t feature, double estimate, double standard_error, Model& model) {
  Coefficient c;
  c.feature = feature;
  c.estimate = c.last_cohort = estimate;
  c.standard_error = standard_error;
  c.low = estimate - k_interval_95 * standard_error;
  c.high = estimate + k_interval_95 * standard_error;
  c.p_value = two_sided(estimate / standard_error);
  model.coefficients.push_back(std::move(c));
}

void finish_coefficients(std::size_t tests, Model& model) {
  std::ranges::sort(model.coefficients,
                    [](const Coefficient& a, const Coefficient& b) { return a.p_value < b.p_value; });
  bool found = true;
  for (std::size_t i = 0; i < model.coefficients.size(); ++i) {
    Coefficient& c = model.coefficients[i];
    found = found && c.p_value * static_cast<double>(tests - std::min(tests - 1, i)) <= model.level;
    c.found = found;
  }
  std::ranges::stable_sort(model.coefficients, [](const Coefficient& a, const Coefficient& b) {
    return std::abs(a.estimate) > std::abs(b.estimate);
  });
}

void keep_beyond_noise(double relative_error, std::string_view what, Model& model) {
  if (relative_error >= k_too_far) {
    model.coefficients.clear();
    model.function = {};
  }
  model.why_verdict = fmt::format("the error of {} is expected to be {:.2g} of its size", what, relative_error);
}

}  // namespace sotto::analyzer

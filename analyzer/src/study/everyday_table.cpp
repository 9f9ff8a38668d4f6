// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include "question.hpp"
#include "sotto/wire/recipe.hpp"

// The table [question] of an everyday kind, and [schedule].
namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_fleet_max = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint32_t k_quantiles_max = 8, k_bins_max = 256;
constexpr std::array<std::string_view, 4> k_take_words = {"last", "mean", "max", "count"};  // k_rule_last, ...

void read_quantiles(StudyTable& table, NumberTerms& terms) {
  if (!table.has("quantiles")) return;
  terms.quantiles = table.numbers("quantiles");
  std::ranges::sort(terms.quantiles);
  if (table.failed()) return;
  const auto outside = std::ranges::find_if(terms.quantiles, [](double q) { return !(q > 0 && q < 1); });
  if (outside != terms.quantiles.end()) {
    table.refuse(k_bad_value, "quantiles", fmt::format("holds {}, and a quantile is above 0 and below 1", *outside),
                 "write [0.5, 0.9] for the median and the 90th percentile");
  } else if (terms.quantiles.size() > k_quantiles_max || terms.quantiles.empty() ||
             std::ranges::adjacent_find(terms.quantiles) != terms.quantiles.end()) {
    table.refuse(k_bad_value, "quantiles", fmt::format("must hold 1 to {} different numbers", k_quantiles_max),
                 "write [0.5, 0.9], or leave it out");
  }
}

/// number and count: a range, quantiles, and what a device makes of several readings. An event is 0 or 1.
void read_number(StudyTable& table, const std::string& kind, EverydayTerms& terms) {
  NumberTerms& number = terms.number;
  const bool is_event = kind == "event", is_count = kind == "count";
  if (is_event) {
    terms.unit = "";
  } else {
    number.low = is_count ? 0 : table.integer("low");
    number.high = table.integer("high");
    if (!table.failed() && number.low >= number.high)
      table.refuse(k_bad_value, "high", fmt::format("is not above the lowest reading, {}", number.low),
                   "say the lowest and the highest reading that make sense; wide is better than wrong");
    if (!is_count) {
      read_quantiles(table, number);
      number.tight = table.flag("tight", false);
    }
    if (table.has("bins"))
      number.bins = table.whole("bins", 2, k_bins_max, k_bad_value, "bars of the distribution that is shown");
  }
  const std::string rule = table.word("take", k_take_words, false);
  number.rule = static_cast<std::uint32_t>(std::ranges::find(k_take_words, rule) - k_take_words.begin());
  if (!table.has("take") && (is_count || is_event)) number.rule = k_rule_count;
  number.missing = is_event ? 0 : number.low;
  if (table.has("missing") && !is_event) {
    number.missing = table.integer("missing");
    if (!table.failed() && (number.missing < number.low || number.missing > number.high))
      table.refuse(k_bad_value, "missing", "is outside of the range from low to high",
                   "write a reading that a device without one may stand for");
  }
}

void read_schedule(StudyTable& root, EverydayTerms& terms) {
  if (!root.has("schedule")) return;
  StudyTable schedule = root.table("schedule");
  terms.every = schedule.word("every", {"week", "day", "month", "hour"}, true);
  terms.periods = schedule.whole("periods", 2, k_cohorts_max, k_bad_value,
                                 "each device answers in one of them, and a manifest has 64 cohorts");
  schedule.refuse_unknown();
}

/// What a device answers, in one sentence.
std::string answer_of(const std::string& kind, const EverydayTerms& terms) {
  const NumberTerms& n = terms.number;
  if (kind == "event") return "whether it happened on this device";
  const std::string unit = terms.unit.empty() ? "" : " " + terms.unit;
  return fmt::format("{} from {} to {}{}, clipped", kind == "count" ? "how often it happened," : "one number", n.low,
                     n.high, unit);
}

}  // namespace

bool asks_everyday(StudyTable& table) {
  std::vector<std::string_view> kinds;
  for (const ProtocolFacts* facts : protocol_facts()) {
    if (facts->everyday) kinds.push_back(facts->name);
  }
  return table.is_word("kind", kinds);
}

void read_everyday(StudyTable& root, StudyTable& table, EpsilonNano epsilon, const StudyPlanner& planner,
                   Study& study) {
  study.kind = table.text("kind");
  RegressionTerms terms;
  EverydayTerms everyday;
  if (table.has("unit")) everyday.unit = table.text("unit");
  read_schedule(root, everyday);
  terms.features = 1;
  const bool is_category = study.kind == "category" || study.kind == "crosstab" || study.kind == "top";
  std::string answer;
  if (is_category)
    answer = read_category(table, study.kind, everyday, terms.features);
  else
    read_number(table, study.kind, everyday);
  if (study.kind == "top") {
    terms.paper = table.word("mechanism", {"default", "paper"}, false) == "paper";
    if (terms.paper && everyday.top.strings)
      table.refuse(k_bad_value, "mechanism",
                   "is paper, whose tree has a level for each bit, and a manifest has 64 cohorts",
                   "write of = \"id64\", or leave mechanism out");
  }
  terms.epsilon = epsilon;
  terms.samples = study.terms.samples;
  terms.minimum = study.terms.minimum;
  terms.validation = 0;
  terms.devices = table.whole("devices", 1, k_fleet_max, k_bad_value, "how many devices are expected to answer");
  terms.source = table.word("source", {"analyst", "truth", "data"}, false) == "analyst" ? AssumedFrom::analyst
                                                                                        : AssumedFrom::truth;
  if (table.failed()) return;
  study.question = is_category ? answer : answer_of(study.kind, everyday);
  terms.everyday = std::move(everyday);
  planner.choose(study.kind, terms);
  Result<ProtocolPlan> plan = planner.plan(terms);
  if (!plan) {
    const Error& error = plan.error();
    return table.refuse(
        error.code, "kind",
        fmt::format("cannot be planned: {}{}", error.what, error.value.empty() ? "" : " (" + error.value + ")"),
        error.fix);
  }
  terms.why_protocol = plan.value().why;
  study.spec = plan.value().first;
  study.terms.weights = plan.value().weights;
  study.regression = std::move(terms);
  study.plan = std::move(plan).value();
}

}  // namespace sotto::analyzer

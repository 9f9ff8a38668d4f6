// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/request/simulate_metrics.hpp"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "sotto/analyzer/study/protocol_facts.hpp"

// The metrics of a simulation, and summaries over its repeats.
namespace sotto::analyzer::request {
namespace {

template <double Baselines::*baseline>
std::optional<double> over_lasso(const RepeatResult& r) {
  if (!r.baselines) return {};
  return *r.baselines.*baseline / r.baselines->pooled_lasso_mse;
}

/// The share of a held-out device's rows that the model tells wrong.
std::optional<double> device_error(const RepeatResult& r) {
  if (!r.device_chance || !r.true_gain || !r.model.validation.classes) return {};
  return *r.device_chance - *r.true_gain;
}

const NamedMetric k_metrics[] = {
    {"l2_squared_error",
     [](const RepeatResult& r) { return r.truth ? std::optional(r.truth->l2_squared_error) : std::nullopt; }},
    {"relative_error",
     [](const RepeatResult& r) { return r.truth ? std::optional(r.truth->relative_error) : std::nullopt; }},
    {"f1", [](const RepeatResult& r) { return r.truth ? std::optional(r.truth->f1) : std::nullopt; }},
    {"false_found", [](const RepeatResult& r) { return r.truth ? std::optional(r.truth->false_found) : std::nullopt; }},
    {"true_gain", [](const RepeatResult& r) { return r.true_gain; }},
    {"gain_covered",
     [](const RepeatResult& r) {
       if (!r.true_gain) return std::optional<double>();
       const Validation& v = r.model.validation;
       return std::optional(v.gain_low <= *r.true_gain && *r.true_gain <= v.gain_high ? 1.0 : 0.0);
     }},
    {"validation_r2",
     [](const RepeatResult& r) {
       return r.model.validation.devices > 0 ? std::optional(r.model.validation.r2()) : std::nullopt;
     }},
    {"device_error", device_error},
    {"device_error_chance", [](const RepeatResult& r) { return r.device_chance; }},
    {"l2_error", [](const RepeatResult& r) { return r.l2_error; }},
    {"excess_risk_ratio", [](const RepeatResult& r) { return r.excess_risk_ratio; }},
    {"function_error", [](const RepeatResult& r) { return r.function_error; }},
    {"test_mse_ratio",
     [](const RepeatResult& r) {
       return r.model_mse && r.baselines ? std::optional(*r.model_mse / r.baselines->pooled_lasso_mse) : std::nullopt;
     }},
    {"test_mse", [](const RepeatResult& r) { return r.model_mse; }},
    {"test_error", [](const RepeatResult& r) { return r.classes ? std::optional(r.classes->model) : std::nullopt; }},
    {"test_error_limit",
     [](const RepeatResult& r) { return r.classes ? std::optional(r.classes->limit) : std::nullopt; }},
    {"test_error_chance",
     [](const RepeatResult& r) { return r.classes ? std::optional(r.classes->chance) : std::nullopt; }},
    {"mean_mse_ratio", over_lasso<&Baselines::mean_mse>},
    {"omp_mse_ratio", over_lasso<&Baselines::omp_mse>},
    {"local_lasso_mse_ratio", over_lasso<&Baselines::local_lasso_median_mse>},
    {"between_found", [](const RepeatResult& r) { return r.levels ? r.levels->found_share : std::nullopt; }},
    {"between_false_found", [](const RepeatResult& r) { return r.levels ? r.levels->false_found : std::nullopt; }},
    {"between_true_r2", [](const RepeatResult& r) { return r.levels ? r.levels->r2 : std::nullopt; }},
    {"between_learned",
     [](const RepeatResult& r) {
       return r.levels ? std::optional(r.levels->verdict == Verdict::learned ? 1.0 : 0.0) : std::nullopt;
     }},
    {"mean_length", [](const RepeatResult& r) { return r.mean_length; }},
};

}  // namespace

std::span<const NamedMetric> simulation_metrics() { return k_metrics; }

std::optional<Summary> summary_of(const ChoiceResults& results, const NamedMetric& metric) {
  std::vector<double> values;
  for (const RepeatResult& r : results.repeats) {
    if (const std::optional<double> value = metric.of(r)) values.push_back(*value);
  }
  if (values.empty()) return {};
  return summarize(values);
}

Json metrics_json(const ChoiceResults& results) {
  Json metrics = Json::object();
  for (const NamedMetric& metric : k_metrics) {
    if (const auto s = summary_of(results, metric))
      metrics[metric.name] = {{"mean", s->mean}, {"sd", s->sd}, {"median", s->median}};
  }
  double covered = 0, intervals = 0;
  for (const RepeatResult& r : results.repeats) {
    if (!r.truth) continue;
    covered += r.truth->covered;
    intervals += r.truth->intervals;
  }
  if (intervals > 0) metrics["coverage"] = {{"mean", covered / intervals}, {"intervals", intervals}};
  double level_covered = 0, level_intervals = 0;
  for (const RepeatResult& r : results.repeats) {
    level_covered += r.levels ? r.levels->covered : 0;
    level_intervals += r.levels ? r.levels->found : 0;
  }
  if (level_intervals > 0)
    metrics["between_coverage"] = {{"mean", level_covered / level_intervals}, {"intervals", level_intervals}};
  return metrics;
}

Json verdicts_json(const ChoiceResults& results) {
  Json counts = {{"learned", 0}, {"uncertain", 0}, {"cannot learn", 0}, {"not measured", 0}};
  for (const RepeatResult& r : results.repeats) {
    Json& count = counts[std::string(verdict_text(r.model.verdict))];
    count = count.get<int>() + 1;
  }
  return counts;
}

std::string verdicts_text(const ChoiceResults& results) {
  std::string text;
  const Json counts = verdicts_json(results);
  for (const auto& [verdict, count] : counts.items())
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count.get<int>(), verdict);
  return text;
}

Json reports_json(const ChoiceResults& results) {
  std::uint64_t count = 0, refused = 0, sent = 0;
  for (const RepeatResult& r : results.repeats) {
    count += r.model.reports_used + r.model.reports_refused;
    refused += r.model.reports_refused;
    sent += r.record.reports;
  }
  return {{"count", count},
          {"used", count - refused},
          {"refused", refused},
          {"sent_now", sent},  // excludes reports stored before, if a run continues
          {"bytes_per_report", results.repeats.front().model.bytes_per_report}};
}

std::string_view mechanism_of(const ProtocolChoice& choice) {
  if (choice.way != OnceWay::automatic) return way_name(choice.way);
  return choice.paper ? "paper" : "default";
}

std::string name_of(const ChoiceResults& results) {
  const std::string& protocol =
      results.repeats.empty() ? results.choice.protocol : results.repeats.front().model.protocol;
  if (asks_labels(protocol)) return fmt::format("{} ({})", protocol, results.choice.label);
  const std::string_view mechanism = mechanism_of(results.choice);
  return mechanism == "default" ? protocol : fmt::format("{} ({})", protocol, mechanism);
}

std::string_view unit_of(const Model& model) {
  return asks_labels(model.protocol) ? "the target of one record; features and their row are known"
                                     : "all samples of an installation";
}

std::string guarantee_of(const Model& model) {
  return fmt::format("{} nats, {}, {}", model.epsilon,
                     model.delta > 0 ? fmt::format("delta {:.3g}", model.delta) : "pure", unit_of(model));
}

const ChoiceResults& first_asked(const std::vector<ChoiceResults>& all) {
  return *std::ranges::find_if(all, [](const ChoiceResults& results) { return !results.refused; });
}

}  // namespace sotto::analyzer::request

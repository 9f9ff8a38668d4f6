// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "simulate_output.hpp"

#include <algorithm>
#include <functional>
#include <span>

#include <fmt/format.h>

#include "model_text.hpp"
#include "say.hpp"
#include "simulate_between.hpp"
#include "sotto/analyzer/simulate/summary.hpp"

namespace sotto::cli {

using analyzer::RepeatResult;

namespace {

/// A metric of one repeat; empty where it does not apply.
using Metric = std::optional<double> (*)(const RepeatResult&);

struct NamedMetric {
  const char* name;
  Metric of;
};

template <double analyzer::Baselines::*baseline>
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
       const analyzer::Validation& v = r.model.validation;
       return std::optional(v.gain_low <= *r.true_gain && *r.true_gain <= v.gain_high ? 1.0 : 0.0);
     }},
    {"false_learned",
     [](const RepeatResult& r) {
       const bool said = r.model.verdict == analyzer::Verdict::learned;
       return r.true_gain ? std::optional(said && *r.true_gain <= 0 ? 1.0 : 0.0) : std::nullopt;
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
    {"mean_mse_ratio", over_lasso<&analyzer::Baselines::mean_mse>},
    {"omp_mse_ratio", over_lasso<&analyzer::Baselines::omp_mse>},
    {"changes_mse_ratio", over_lasso<&analyzer::Baselines::changes_mse>},
    {"local_lasso_mse_ratio", over_lasso<&analyzer::Baselines::local_lasso_median_mse>},
    {"between_found", [](const RepeatResult& r) { return r.levels ? r.levels->found_share : std::nullopt; }},
    {"between_false_found", [](const RepeatResult& r) { return r.levels ? r.levels->false_found : std::nullopt; }},
    {"between_true_r2", [](const RepeatResult& r) { return r.levels ? r.levels->r2 : std::nullopt; }},
    {"between_learned",
     [](const RepeatResult& r) {
       return r.levels ? std::optional(r.levels->verdict == analyzer::Verdict::learned ? 1.0 : 0.0) : std::nullopt;
     }},
    {"mean_length", [](const RepeatResult& r) { return r.mean_length; }},
};

std::optional<analyzer::Summary> summary_of(const ChoiceResults& results, const NamedMetric& metric) {
  std::vector<double> values;
  for (const RepeatResult& r : results.repeats) {
    if (const std::optional<double> value = metric.of(r)) values.push_back(*value);
  }
  if (values.empty()) return {};
  return analyzer::summarize(values);
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

analyzer::Verdict verdict_of(const ChoiceResults& results) {
  std::vector<analyzer::Verdict> verdicts;
  for (const RepeatResult& r : results.repeats) verdicts.push_back(r.model.verdict);
  return analyzer::judge_all(verdicts);
}

Json verdicts_json(const ChoiceResults& results) {
  Json counts = {{"learned", 0}, {"uncertain", 0}, {"cannot learn", 0}, {"not measured", 0}};
  for (const RepeatResult& r : results.repeats) {
    Json& count = counts[std::string(analyzer::verdict_text(r.model.verdict))];
    count = count.get<int>() + 1;
  }
  return counts;
}

Json validation_json(const analyzer::Validation& v) {
  Json json = {{"r2", v.r2()},           {"low", v.low()},
               {"high", v.high()},       {"gain", v.gain},
               {"gain_low", v.gain_low}, {"gain_high", v.gain_high},
               {"devices", v.devices},   {"against", analyzer::against_text(v.against)}};
  if (v.classes) json.update({{"error", v.error}, {"error_low", v.error_low}, {"error_high", v.error_high}});
  return json;
}

/// "3 learned, 1 uncertain, 0 cannot learn".
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

/// The variant in which a protocol was run, if it has several.
std::string_view mechanism_of(const analyzer::ProtocolChoice& choice) {
  if (choice.way != analyzer::OnceWay::automatic) return analyzer::way_name(choice.way);
  return choice.paper ? "paper" : "default";
}

std::string name_of(const ChoiceResults& results) {
  const std::string& protocol =
      results.repeats.empty() ? results.choice.protocol : results.repeats.front().model.protocol;
  if (asks_labels(protocol)) return fmt::format("{} ({})", protocol, results.choice.label);
  const std::string_view mechanism = mechanism_of(results.choice);
  return mechanism == "default" ? protocol : fmt::format("{} ({})", protocol, mechanism);
}

std::string_view unit_of(const analyzer::Model& model) {
  return asks_labels(model.protocol) ? "the target of one record; features and their row are known"
                                     : "all samples of an installation";
}

Json privacy_of(const ChoiceResults& results) {
  const analyzer::Model& model = results.repeats.front().model;
  return {{"epsilon_declared", model.epsilon},
          {"epsilon_delivered", model.epsilon_delivered},
          {"delta", model.delta},
          {"unit", unit_of(model)},
          {"statement", model.privacy}};
}

std::string guarantee_of(const analyzer::Model& model) {
  return fmt::format("{} nats, {}, {}", model.epsilon,
                     model.delta > 0 ? fmt::format("delta {:.3g}", model.delta) : "pure", unit_of(model));
}

Json coefficients_json(const std::vector<analyzer::Coefficient>& coefficients) {
  Json rows = Json::array();
  for (const analyzer::Coefficient& c : coefficients) {
    rows.push_back({{"feature", c.feature},
                    {"name", c.name},
                    {"estimate", c.estimate},
                    {"low", c.low},
                    {"high", c.high},
                    {"found", c.found}});
  }
  return rows;
}

Json timing_json(double seconds, std::uint64_t reports, std::uint32_t threads) {
  return {{"seconds", seconds}, {"reports_per_second", static_cast<double>(reports) / seconds}, {"threads", threads}};
}

}  // namespace

std::string command_of(const SimulateOptions& o) {
  std::string text = fmt::format("sotto simulate --protocol {} --epsilon {}", o.protocol, o.epsilon);
  const auto add = [&text](std::string_view name, const auto& value) { text += fmt::format(" {} {}", name, value); };
  if (o.mechanism != "default") add("--mechanism", o.mechanism);
  if (o.delta > 0 || collects_once(o)) add("--delta", o.delta);
  if (o.label != "auto") add("--label", o.label);
  if (o.data.empty()) {
    text += fmt::format(" --users {} --samples {}", o.users, o.samples);
    if (o.effects) {
      text += shell_option("--effects", o.effects_file);
      if (!o.target.empty()) text += shell_option("--target", o.target);
    } else {
      text += fmt::format(" --dim {} --nonzeros {} --signal {} --signs {}", o.dim, o.nonzeros, o.signal, o.signs);
    }
    text += fmt::format(" --noise {} --design {}", o.noise, o.design);
    if (o.link != "identity") add("--link", o.link);
    if (o.empty > 0) add("--empty", o.empty);
  } else {
    add("--data", o.data);
    if (!o.user_column.empty()) add("--user-column", o.user_column);
    if (o.row_is_device) text += " --row-is-device";
    text += table_command(o.table);
    if (!o.target.empty()) text += shell_option("--target", o.target);
    text += fmt::format(" --transform {} --test-share {}", o.transform, o.test_share);
    if (o.target_kind != "auto") add("--target-kind", o.target_kind);
    if (o.link != "identity" && !collects_once(o)) add("--link", o.link);
  }
  if (o.rounds != 0) add("--rounds", o.rounds);
  if (collects_once(o)) add("--degree", o.degree);
  if (o.dropout > 0) add("--dropout", o.dropout);
  if (o.assume_samples) add("--assume-samples", *o.assume_samples);
  if (o.assume_sparsity) add("--assume-sparsity", *o.assume_sparsity);
  if (o.assume_noise) add("--assume-noise", *o.assume_noise);
  if (o.assume_norm) add("--assume-norm", *o.assume_norm);
  if (o.assume_deviation) add("--assume-deviation", *o.assume_deviation);
  if (o.assume_law != "unknown") add("--assume-law", o.assume_law);
  if (o.assume_correlated) add("--assume-correlated", *o.assume_correlated);
  if (!o.units.empty()) add("--units", o.units);
  if (!o.centre.empty()) add("--centre", o.centre);
  if (o.misstate_offset != 0) add("--misstate-offset", o.misstate_offset);
  if (o.misstate_scale != 1) add("--misstate-scale", o.misstate_scale);
  if (o.validation) add("--validation", *o.validation);
  text += between_command(o);
  return text + fmt::format(" --seed {} --repeat {}", o.seed, o.repeat);
}

namespace {

Json between_json(const analyzer::Between& between) {
  Json json = {{"verdict", analyzer::verdict_text(between.verdict)},
               {"why_verdict", between.why_verdict},
               {"columns", between.columns},
               {"strength", between.strength},
               {"level", between.level},
               {"spread", between.spread},
               {"coefficients", coefficients_json(between.coefficients)}};
  if (between.validation.devices > 0) json["validation"] = validation_json(between.validation);
  return json;
}

}  // namespace

Json simulation_json(const SimulateOptions& o, const ChoiceResults& results, double seconds) {
  const analyzer::Model& first = results.repeats.front().model;
  const Json reports = reports_json(results);
  Json json = {{"protocol", first.protocol},
               {"why_protocol", first.why_protocol},
               {"mechanism", o.mechanism},
               {"verdict", analyzer::verdict_text(verdict_of(results))},
               {"verdicts", verdicts_json(results)},
               {"validation", validation_json(first.validation)},
               {"metrics", metrics_json(results)},
               {"reports", reports},
               {"privacy", privacy_of(results)},
               {"assumed_public", first.assumed_public},
               {"coefficients", coefficients_json(first.coefficients)},
               {"repeat", o.repeat},
               {"seed", o.seed},
               {"command", command_of(o)},
               {"timing", timing_json(seconds, reports["sent_now"].get<std::uint64_t>(), o.threads)}};
  if (const std::string& levels = results.repeats.front().facts.levels; !levels.empty()) json["levels"] = levels;
  if (first.between.columns > 0) json["between"] = between_json(first.between);
  return json;
}

namespace {

/// The first variant that was not refused. There is one, as nothing is compared if all were refused.
const ChoiceResults& first_asked(const std::vector<ChoiceResults>& all) {
  return *std::ranges::find_if(all, [](const ChoiceResults& results) { return !results.refused; });
}

/// The main metric: the first of these that applies.
const NamedMetric& main_metric(const SimulateOptions& o, const ChoiceResults& results) {
  const auto named = [](std::string_view name) -> const NamedMetric& {
    return *std::ranges::find(k_metrics, name, &NamedMetric::name);
  };
  for (const char* name : {"l2_error", "function_error", "excess_risk_ratio", "test_mse_ratio", "test_error"}) {
    if (o.data.empty() && std::string_view(name).starts_with("test_")) break;
    if (summary_of(results, named(name))) return named(name);
  }
  return named("l2_squared_error");
}

}  // namespace

Json comparison_json(const SimulateOptions& o, const std::vector<ChoiceResults>& all, double seconds) {
  Json rows = Json::array();
  std::uint64_t reports = 0;
  for (const ChoiceResults& results : all) {
    if (results.refused) {
      rows.push_back(
          {{"protocol", results.choice.protocol},
           {"mechanism", mechanism_of(results.choice)},
           {"refused",
            {{"code", results.refused->code}, {"message", results.refused->what}, {"value", results.refused->value}}}});
      continue;
    }
    const Json sent = reports_json(results);
    reports += sent["sent_now"].get<std::uint64_t>();
    rows.push_back({{"protocol", results.repeats.front().model.protocol},
                    {"mechanism", mechanism_of(results.choice)},
                    {"label", results.choice.label},
                    {"guarantee", guarantee_of(results.repeats.front().model)},
                    {"verdicts", verdicts_json(results)},
                    {"metrics", metrics_json(results)},
                    {"reports", sent}});
  }
  return {{"comparison", rows},
          {"assumed_public", first_asked(all).repeats.front().model.assumed_public},
          {"repeat", o.repeat},
          {"seed", o.seed},
          {"command", command_of(o) + " --compare"},
          {"timing", timing_json(seconds, reports, o.threads)}};
}

void print_simulation(const SimulateOptions& o, const ChoiceResults& results, double seconds) {
  const analyzer::Model& first = results.repeats.front().model;
  if (o.repeat > 1) say("verdicts    {} of {} fleets; the first fleet in full:\n\n", verdicts_text(results), o.repeat);
  print_model(first);
  const Json reports = reports_json(results);
  const auto sent = reports["sent_now"].get<double>();
  say("\n{} repeat{} in {:.1f} s: ", o.repeat, o.repeat == 1 ? "" : "s", seconds);
  if (reports["count"].get<std::uint64_t>() == 0 && sent == 0) {
    say("nobody was asked\n");
  } else {
    say("{:.0f} reports a second, {:.1f} bytes a report{}\n", sent / seconds, first.bytes_per_report,
        sent == 0 ? " (all were stored before)" : "");
  }
  for (const NamedMetric& metric : k_metrics) {
    if (const auto s = summary_of(results, metric))
      say("  {:<22} {:.4f}  (sd {:.4f}, median {:.4f})\n", metric.name, s->mean, s->sd, s->median);
  }
  const Json metrics = metrics_json(results);
  if (metrics.contains("coverage"))
    say("  {:<22} {:.1f} % of {} intervals hold the truth\n", "coverage",
        100 * metrics["coverage"]["mean"].get<double>(), metrics["coverage"]["intervals"].get<double>());
  if (const std::string& levels = results.repeats.front().facts.levels; !levels.empty()) say("\n{}\n", levels);
}

void print_comparison(const SimulateOptions& o, const std::vector<ChoiceResults>& all, double seconds) {
  const bool from_file = !o.data.empty();
  const ChoiceResults& asked = first_asked(all);
  const NamedMetric& error = main_metric(o, asked);
  say("{:<32}{:>18}{:>10}{:>8}{:>10}{:>12}\n", "protocol", error.name, "sd", "F1", "learned", "bytes");
  for (const ChoiceResults& results : all) {
    if (results.refused) {
      say("{:<32}  not asked: {}\n", name_of(results), results.refused->what);
      continue;
    }
    const analyzer::Summary s = summary_of(results, error).value_or(analyzer::Summary{});
    const auto f1 = summary_of(results, k_metrics[2]);
    say("{:<32}{:>18.4f}{:>10.4f}{:>8}{:>10}{:>12.1f}\n", name_of(results), s.mean, s.sd,
        f1 ? fmt::format("{:.3f}", f1->mean) : "",
        fmt::format("{}/{}", verdicts_json(results)["learned"].get<int>(), results.repeats.size()),
        results.repeats.front().model.bytes_per_report);
  }
  if (from_file) {
    const auto* const first = std::ranges::find(k_metrics, std::string_view("test_error_limit"), &NamedMetric::name);
    for (const NamedMetric& metric : std::span(first, std::end(k_metrics))) {
      if (const auto s = summary_of(asked, metric))
        say("{:<32}{:>18.4f}{:>10.4f}   not private\n", metric.name, s->mean, s->sd);
    }
  }
  say("\nOne report of each device; {} repeat{} of the same fleets in {:.1f} s. What a report spends:\n", o.repeat,
      o.repeat == 1 ? "" : "s", seconds);
  for (const ChoiceResults& results : all) {
    if (!results.refused) say("  {:<32}{}\n", name_of(results), guarantee_of(results.repeats.front().model));
  }
  say("Assumed public: ");
  for (const std::string& what : asked.repeats.front().model.assumed_public) say("{}; ", what);
  say("\n");
}

}  // namespace sotto::cli

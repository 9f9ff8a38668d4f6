// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "simulate_output.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "model_text.hpp"
#include "say.hpp"
#include "sotto/analyzer/request/simulate_metrics.hpp"

namespace sotto::cli {

using namespace analyzer::request;  // metrics and summaries by name

namespace {

const NamedMetric& metric_named(std::string_view name) {
  const std::span<const NamedMetric> all = simulation_metrics();
  return *std::ranges::find(all, name, &NamedMetric::name);
}

/// The main metric: the first of these that applies.
const NamedMetric& main_metric(const SimulateOptions& o, const ChoiceResults& results) {
  for (const char* name : {"l2_error", "function_error", "excess_risk_ratio", "test_mse_ratio", "test_error"}) {
    if (o.data.empty() && std::string_view(name).starts_with("test_")) break;
    if (summary_of(results, metric_named(name))) return metric_named(name);
  }
  return metric_named("l2_squared_error");
}

}  // namespace

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
  for (const NamedMetric& metric : simulation_metrics()) {
    if (const auto s = summary_of(results, metric))
      say("  {:<22} {:.4f}  (sd {:.4f}, median {:.4f})\n", metric.name, s->mean, s->sd, s->median);
  }
  const Json metrics = metrics_json(results);
  if (metrics.contains("coverage"))
    say("  {:<22} {:.1f} % of {} intervals hold the truth\n", "coverage",
        100 * metrics["coverage"]["mean"].get<double>(), metrics["coverage"]["intervals"].get<double>());
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
    const auto f1 = summary_of(results, metric_named("f1"));
    say("{:<32}{:>18.4f}{:>10.4f}{:>8}{:>10}{:>12.1f}\n", name_of(results), s.mean, s.sd,
        f1 ? fmt::format("{:.3f}", f1->mean) : "",
        fmt::format("{}/{}", verdicts_json(results)["learned"].get<int>(), results.repeats.size()),
        results.repeats.front().model.bytes_per_report);
  }
  if (from_file) {
    const std::span<const NamedMetric> known = simulation_metrics();
    const auto first = std::ranges::find(known, std::string_view("test_error_limit"), &NamedMetric::name);
    for (const NamedMetric& metric : std::span(first, known.end())) {
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

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "fit.hpp"
#include "say.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/simulate/summary.hpp"

// `sotto fit`: prints the result as text and as JSON.
namespace sotto::cli {
namespace {

namespace central = analyzer::central;
using analyzer::Summary;

Json summary_json(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  const Summary s = analyzer::summarize(values);
  return {{"mean", s.mean}, {"sd", s.sd}, {"median", s.median}};
}

Json metrics_json(const FitOutcome& outcome, const MethodResult& of) {
  Json metrics = Json::object();
  if (outcome.is_synthetic) {
    metrics["relative_error"] = summary_json(of.relative_error);
    return metrics;
  }
  if (of.loss.empty()) return metrics;
  metrics[outcome.is_regression ? "validation_mse" : "validation_loss"] = summary_json(of.loss);
  if (!outcome.is_regression) metrics["validation_error"] = summary_json(of.error);
  if (!of.limit.empty()) metrics["limit_loss"] = summary_json(of.limit);
  return metrics;
}

const MethodResult* chosen(const FitOutcome& outcome) {
  for (const MethodResult& of : outcome.methods) {
    if (central::method_name(of.method) == outcome.model.method) return &of;
  }
  return nullptr;
}

std::string score_text(const FitOutcome& outcome, const MethodResult& of) {
  const Summary s = analyzer::summarize(outcome.is_synthetic ? of.relative_error : of.loss);
  std::string text = fmt::format("{:.4f} +- {:.4f}", s.mean, s.sd);
  if (!outcome.is_regression && !outcome.is_synthetic)
    text += fmt::format("   error {:.4f}", analyzer::summarize(of.error).mean);
  if (!of.limit.empty()) text += fmt::format("   without privacy {:.4f}", analyzer::summarize(of.limit).mean);
  return text;
}

std::string_view score_name(const FitOutcome& outcome) {
  return outcome.is_synthetic ? "relative error" : outcome.is_regression ? "squared error" : "loss";
}

}  // namespace

std::string command_of(const FitOptions& o) {
  std::string text = "sotto fit";
  const auto add = [&text](std::string_view name, const auto& value) { text += fmt::format(" {} {}", name, value); };
  const auto add_if = [&](std::string_view name, const auto& value) {
    if (value) add(name, *value);
  };
  const auto add_text = [&text](std::string_view name, std::string_view value) { text += shell_option(name, value); };
  const auto flag = [&text](std::string_view name, bool on) { text += on ? fmt::format(" {}", name) : ""; };
  if (o.synthetic.empty()) {
    text += " " + shell_word(o.data.size() > 1 && o.data.starts_with('-') ? "./" + o.data : o.data);
    flag("--libsvm", o.libsvm);
    add_if("--features", o.features);
    add_text("--target", o.target);
    text += table_command(o.table);
    add("--scale", o.scale);
    if (o.transform != "none") add("--transform", o.transform);
    if (!o.scales.empty()) add_text("--scales", o.scales);
    if (o.scales.empty() && o.scale == "standard" && !o.no_privacy) add("--moments-share", o.moments_share);
  } else {
    add_text("--synthetic", o.synthetic);
  }
  add_if("--row-bound", o.row_bound);
  add_if("--value-bound", o.value_bound);
  add_if("--target-bound", o.target_bound);
  flag("--independent", o.independent);
  add("--method", o.method);
  add_if("--nonzeros", o.nonzeros);
  if (!o.loss.empty()) add("--loss", o.loss);
  if (o.target_kind != "auto") add("--target-kind", o.target_kind);
  if (o.l2 > 0) add("--l2", o.l2);
  add_if("--epsilon", o.epsilon);
  add("--delta", o.delta);
  add("--adjacency", o.adjacency);
  flag("--no-privacy", o.no_privacy);
  flag("--unproven", o.unproven);
  add_if("--steps", o.steps);
  add_if("--step-size", o.step_size);
  add_if("--l1-radius", o.l1_radius);
  add("--folds", o.folds);
  if (!o.test.empty()) add_text("--test", o.test);
  if (o.repeat > 1) add("--repeat", o.repeat);
  flag("--compare", o.compare);
  flag("--limits", o.limits);
  add_if("--seed", o.seed);
  return text;
}

Json outcome_json(const FitOptions& o, const FitOutcome& outcome) {
  const Json model = Json::parse(central::fit_json(outcome.model));
  const MethodResult* of = chosen(outcome);
  Json json = {{"method", outcome.model.method}, {"why_method", outcome.model.why_method}};
  json["metrics"] = of != nullptr ? metrics_json(outcome, *of) : Json::object();
  if (of != nullptr && !of->loss.empty())
    json["metrics"][outcome.is_regression ? "mean_mse" : "larger_class_error"] = outcome.baseline;
  json["metrics_are_private"] = false;
  if (model.contains("test")) json["test"] = model["test"];
  json["privacy"] = model["privacy"];
  json["assumed_public"] = model["assumed_public"];
  json["notes"] = outcome.notes;
  json["warnings"] = outcome.warnings;
  json["model"] = model;
  if (o.compare) {
    Json rows = Json::array();
    for (const MethodResult& each : outcome.methods) {
      rows.push_back({{"method", central::method_name(each.method)},
                      {"guarantee", o.no_privacy ? "none" : central::guarantee_text(each.method)},
                      {"metrics", metrics_json(outcome, each)},
                      {"sigma", each.last.z},
                      {"steps", each.last.steps},
                      {"passes", each.last.passes},
                      {"seconds", each.seconds}});
    }
    json["comparison"] = rows;
  }
  json["command"] = outcome.model.command;
  json["timing"] = {{"seconds", outcome.seconds}, {"seconds_per_fit", of != nullptr ? of->seconds : 0}};
  return json;
}

void print_outcome(const FitOptions& o, const FitOutcome& outcome) {
  const central::FittedModel& m = outcome.model;
  say("method      {}\n            {}\n", m.method, m.why_method);
  say("rows        {} with {} features, {} loss\n", m.rows, m.features, m.loss);
  say("nonzeros    {}, {}\n", m.nonzeros, m.why_nonzeros);
  say("privacy     {}\n", central::fit_verdict(m));
  if (m.is_private && m.is_proven) {
    say("            epsilon {:.6g} of {:g}, delta {:g}, for one row ({}); noise multiplier {:.6g}\n",
        m.epsilon_delivered, m.epsilon, m.delta, m.adjacency, m.z);
  }
  say("\n");
  for (const std::string& sentence : m.privacy) say("  {}\n", sentence);
  say("\nassumed public\n");
  for (const std::string& line : m.assumed_public) say("  {}\n", line);
  constexpr std::size_t k_shown = 12;
  say("\ncoefficients, of the scaled features\n");
  for (std::size_t i = 0; i < std::min(k_shown, m.coefficients.size()); ++i)
    say("  {:>12.5f}  {}\n", m.coefficients[i].value, m.coefficients[i].name);
  if (m.coefficients.size() > k_shown) say("  ... and {} more\n", m.coefficients.size() - k_shown);

  if (m.test) {
    say("\n{} on {} public rows of {}, as private as the model\n",
        central::is_class(m) ? "share of wrong classes" : "squared error", m.test->rows, m.test->file);
    say("  {:16} {:.4f}\n  {:16} {:.4f}\n", "the model", m.test->error,
        central::is_class(m) ? "larger class" : "their mean", m.test->baseline);
  }
  const bool is_validated = !outcome.methods.front().loss.empty() || outcome.is_synthetic;
  if (is_validated) {
    say("\n{} on {}: mean and standard deviation (not private)\n", score_name(outcome),
        outcome.is_synthetic ? "fresh synthetic rows" : fmt::format("{} folds held out", o.folds));
    for (const MethodResult& of : outcome.methods) {
      say("  {:16} {}   {} passes, {:.3g} s\n", central::method_name(of.method), score_text(outcome, of),
          analyzer::html::short_number(of.last.passes), of.seconds);
    }
    if (!outcome.is_synthetic && outcome.is_regression) say("  {:16} {:.4f}\n", "the mean", outcome.baseline);
    if (!outcome.is_synthetic && !outcome.is_regression)
      say("  {:16} {:>26}   error {:.4f}\n", "larger class", "", outcome.baseline);
  }
  if (!o.out.empty()) say("\npage        {}/report.html\n", o.out);
}

analyzer::html::FitPage page_of(const FitOptions& o, const FitOutcome& outcome) {
  constexpr double k_unknown = std::numeric_limits<double>::quiet_NaN();
  analyzer::html::FitPage page{.model = outcome.model, .rows = {}, .curve = {}, .folds = o.folds};
  // A page of a private model is as private as the model: validation numbers would not be, and stay off it.
  if (outcome.model.is_covered()) return page;
  if (const MethodResult* of = chosen(outcome)) page.curve = of->curve;
  page.baseline = outcome.is_synthetic ? k_unknown : outcome.baseline;
  for (const MethodResult& of : outcome.methods) {
    if (of.loss.empty()) continue;
    const Summary loss = analyzer::summarize(of.loss);
    page.rows.push_back({.method = std::string(central::method_name(of.method)),
                         .guarantee = o.no_privacy ? "none" : std::string(central::guarantee_text(of.method)),
                         .loss = loss.mean,
                         .loss_sd = loss.sd,
                         .error = outcome.is_regression ? k_unknown : analyzer::summarize(of.error).mean,
                         .limit = of.limit.empty() ? k_unknown : analyzer::summarize(of.limit).mean,
                         .passes = of.last.passes,
                         .seconds = of.seconds});
  }
  return page;
}

}  // namespace sotto::cli

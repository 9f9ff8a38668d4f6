// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <limits>

#include <fmt/format.h>

#include "sotto/analyzer/request/fit.hpp"
#include "sotto/analyzer/simulate/summary.hpp"

// The outcome of a fit as JSON and as a page.
namespace sotto::analyzer::request {
namespace {

Json summary_json(const std::vector<double>& values) {
  if (values.empty()) return nullptr;
  const Summary s = summarize(values);
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

}  // namespace

const MethodResult* chosen_method(const FitOutcome& outcome) {
  for (const MethodResult& of : outcome.methods) {
    if (central::method_name(of.method) == outcome.model.method) return &of;
  }
  return nullptr;
}

Json outcome_json(const FitOptions& o, const FitOutcome& outcome) {
  const Json model = Json::parse(central::fit_json(outcome.model));
  const MethodResult* of = chosen_method(outcome);
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
  json["timing"] = {{"seconds", outcome.seconds},
                    {"seconds_reading", outcome.seconds_reading},
                    {"seconds_per_fit", of != nullptr ? of->seconds : 0}};
  return json;
}

html::FitPage page_of(const FitOptions& o, const FitOutcome& outcome) {
  constexpr double k_unknown = std::numeric_limits<double>::quiet_NaN();
  html::FitPage page{.model = outcome.model, .rows = {}, .curve = {}, .folds = o.folds};
  // A page of a private model is as private as the model: validation numbers would not be, and stay off it.
  if (outcome.model.is_covered()) return page;
  if (const MethodResult* of = chosen_method(outcome)) page.curve = of->curve;
  page.baseline = outcome.is_synthetic ? k_unknown : outcome.baseline;
  for (const MethodResult& of : outcome.methods) {
    if (of.loss.empty()) continue;
    const Summary loss = summarize(of.loss);
    page.rows.push_back({.method = std::string(central::method_name(of.method)),
                         .guarantee = o.no_privacy ? "none" : std::string(central::guarantee_text(of.method)),
                         .loss = loss.mean,
                         .loss_sd = loss.sd,
                         .error = outcome.is_regression ? k_unknown : summarize(of.error).mean,
                         .limit = of.limit.empty() ? k_unknown : summarize(of.limit).mean,
                         .passes = of.last.passes,
                         .seconds = of.seconds});
  }
  return page;
}

}  // namespace sotto::analyzer::request

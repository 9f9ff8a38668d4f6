// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "sotto/analyzer/model/verdict.hpp"
#include "sotto/analyzer/request/simulate_metrics.hpp"

// The results of a simulation as JSON.
namespace sotto::analyzer::request {
namespace {

Verdict verdict_of(const ChoiceResults& results) {
  std::vector<Verdict> verdicts;
  for (const RepeatResult& r : results.repeats) verdicts.push_back(r.model.verdict);
  return judge_all(verdicts);
}

Json validation_json(const Validation& v) {
  Json json = {{"r2", v.r2()},           {"low", v.low()},
               {"high", v.high()},       {"gain", v.gain},
               {"gain_low", v.gain_low}, {"gain_high", v.gain_high},
               {"devices", v.devices},   {"against", against_text(v.against)}};
  if (v.classes) json.update({{"error", v.error}, {"error_low", v.error_low}, {"error_high", v.error_high}});
  return json;
}

Json privacy_of(const ChoiceResults& results) {
  const Model& model = results.repeats.front().model;
  return {{"epsilon_declared", model.epsilon},
          {"epsilon_delivered", model.epsilon_delivered},
          {"delta", model.delta},
          {"unit", unit_of(model)},
          {"statement", model.privacy}};
}

Json coefficients_json(const std::vector<Coefficient>& coefficients) {
  Json rows = Json::array();
  for (const Coefficient& c : coefficients) {
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

Json between_json(const Between& between) {
  Json json = {{"verdict", verdict_text(between.verdict)},
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
  const Model& first = results.repeats.front().model;
  const Json reports = reports_json(results);
  Json json = {{"protocol", first.protocol},
               {"why_protocol", first.why_protocol},
               {"mechanism", o.mechanism},
               {"verdict", verdict_text(verdict_of(results))},
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
  if (first.between.columns > 0) json["between"] = between_json(first.between);
  return json;
}

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

}  // namespace sotto::analyzer::request

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "everyday_options.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "sotto/analyzer/request/everyday.hpp"

// The results of a simulated everyday question as JSON.
namespace sotto::analyzer::request {

Json verdict_counts(const std::vector<Verdict>& verdicts) {
  Json counts = {{"learned", 0}, {"uncertain", 0}, {"cannot learn", 0}, {"not measured", 0}};
  for (const Verdict verdict : verdicts) {
    Json& count = counts[std::string(verdict_text(verdict))];
    count = count.get<int>() + 1;
  }
  return counts;
}

Json everyday_json(const SimulateOptions& o, const EverydayOutcome& outcome, double seconds) {
  const Model& model = outcome.first.model;
  Json errors = Json::object();
  for (const auto& [name, s] : outcome.errors) errors[name] = {{"mean", s.mean}, {"sd", s.sd}, {"median", s.median}};
  return {{"protocol", model.protocol},
          {"why_protocol", model.why_protocol},
          {"verdict", verdict_text(judge_all(outcome.verdicts))},
          {"verdicts", verdict_counts(outcome.verdicts)},
          {"metrics", errors},
          {"everyday", Json::parse(model_json(model)).value("everyday", Json::object())},
          {"reports", {{"sent_now", outcome.reports}, {"bytes_per_report", model.bytes_per_report}}},
          {"privacy",
           {{"epsilon_declared", model.epsilon},
            {"epsilon_delivered", model.epsilon_delivered},
            {"delta", model.delta},
            {"statement", model.privacy}}},
          {"assumed_public", model.assumed_public},
          {"repeat", o.repeat},
          {"seed", o.seed},
          {"command", everyday_command(o)},
          {"timing", {{"seconds", seconds}, {"threads", o.threads}}}};
}

}  // namespace sotto::analyzer::request

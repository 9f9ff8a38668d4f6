// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A plan as it is asked for in options: `sotto plan` and the Python package make it.

#include <span>
#include <string>

#include "sotto/analyzer/plan/plan.hpp"
#include "sotto/analyzer/request/json.hpp"
#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/result.hpp"

namespace CLI {
class App;
}

namespace sotto::analyzer::request {

/// The options of `sotto plan`, but those of its output.
struct PlanOptions {
  std::string file;     ///< a study, in place of the flags; - is stdin
  SimulateOptions sim;  ///< the fleet, in the words of `sotto simulate`, and the seed
  double rate = 0;
  PlanGoal goal;
  Assumptions assume;
  bool quick = false;
};

/// A plan with what it was made for.
struct PlanShown {
  const PlanRequest& request;
  const Plan& plan;
  double rate = 0;  ///< devices that report in a day; 0: not known
};

/// Once they are parsed, complete_options() completes `sim`.
void add_plan_options(CLI::App& verb, PlanOptions& options);
/// Reads options in the words of the command line, complete.
/// Refuses   usage.
[[nodiscard]] Result<PlanOptions> read_plan_words(std::span<const std::string> words);

/// What is planned: the fleet that the flags describe, or that of the study.
/// Refuses   usage; io.cannot_read; what read_study(), request_of(), with_effects() and the parameters of a fleet
///           refuse.
[[nodiscard]] Result<PlanRequest> plan_request(const PlanOptions& options);

/// Only the law of a regression says which variables are found.
[[nodiscard]] inline bool tells_found(const Outlook& o) {
  return o.by == PlannedBy::law && o.metric == "l2_squared_error";
}

/// The JSON object for scripts.
[[nodiscard]] Json plan_json(const PlanShown& shown);

}  // namespace sotto::analyzer::request

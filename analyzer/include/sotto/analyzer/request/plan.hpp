// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A plan as it is asked for in options: `sotto plan` and the Python package make it.

#include <cstdint>
#include <span>
#include <string>

#include "sotto/analyzer/plan/plan.hpp"
#include "sotto/analyzer/request/json.hpp"
#include "sotto/analyzer/result.hpp"

namespace CLI {
class App;
}

namespace sotto::analyzer::request {

/// The options of `sotto plan`, but those of its output.
struct PlanOptions {
  std::string file;  ///< a study, in place of the flags; - is stdin
  std::string protocol = "auto", mechanism = "default", label = "auto";
  std::uint64_t users = 0, seed = 1;
  std::uint32_t dim = 0, nonzeros = 8;
  std::string samples, signal = "0.2", signs = "positive", noise = "1", design = "independent", link = "identity";
  double epsilon = 0, delta = 0, dropout = 0, empty = 0, rate = 0;
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

void add_plan_options(CLI::App& verb, PlanOptions& options);
/// Reads options in the words of the command line.
/// Refuses   usage.
[[nodiscard]] Result<PlanOptions> read_plan_words(std::span<const std::string> words);

/// What is planned: the fleet that the flags describe, or that of the study.
/// Refuses   usage; io.cannot_read; what read_study(), request_of() and the parameters of a fleet refuse.
[[nodiscard]] Result<PlanRequest> plan_request(const PlanOptions& options);

/// The JSON object for scripts.
[[nodiscard]] Json plan_json(const PlanShown& shown);

}  // namespace sotto::analyzer::request

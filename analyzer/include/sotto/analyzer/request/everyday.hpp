// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A simulated everyday question as it is asked for in options: `sotto simulate` and the Python package run it.

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sotto/analyzer/model/verdict.hpp"
#include "sotto/analyzer/request/json.hpp"
#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/request/watch.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/simulate/summary.hpp"

namespace sotto::analyzer::request {

/// The results of all repeats, the first in full.
struct EverydayOutcome {
  RegressionRun first;
  std::string study;                                    ///< the file that asked the first fleet
  std::vector<std::pair<std::string, Summary>> errors;  ///< of the estimates, by name
  std::vector<Verdict> verdicts;
  std::uint64_t reports = 0;
};

/// Runs all repeats. `directory`: of the first run's store; empty: it is not stored.
/// Refuses   simulate.bad_empty; what reading the file, the fleet and the protocol refuse; simulate.stopped.
[[nodiscard]] Result<EverydayOutcome> run_everyday(const SimulateOptions& options, const std::string& directory,
                                                   const RunWatch& watch);

/// How many repeats had each verdict.
[[nodiscard]] Json verdict_counts(const std::vector<Verdict>& verdicts);
/// The JSON object for scripts.
[[nodiscard]] Json everyday_json(const SimulateOptions& options, const EverydayOutcome& outcome, double seconds);

}  // namespace sotto::analyzer::request

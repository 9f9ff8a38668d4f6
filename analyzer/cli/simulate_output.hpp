// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Output of `sotto simulate`: text for the terminal, and the JSON object for scripts.

#include <optional>
#include <vector>

#include "json.hpp"
#include "simulate.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace sotto::cli {

/// All repeats of one protocol variant.
struct ChoiceResults {
  analyzer::ProtocolChoice choice;
  std::vector<analyzer::RepeatResult> repeats;
  std::optional<analyzer::Error> refused;  ///< if set, there are no repeats
};

/// The command line that repeats this run.
[[nodiscard]] std::string command_of(const SimulateOptions& options);

/// The JSON object for scripts: metrics, reports, privacy, timing, verdict.
[[nodiscard]] Json simulation_json(const SimulateOptions& options, const ChoiceResults& results, double seconds);
[[nodiscard]] Json comparison_json(const SimulateOptions& options, const std::vector<ChoiceResults>& results,
                                   double seconds);

void print_simulation(const SimulateOptions& options, const ChoiceResults& results, double seconds);
void print_comparison(const SimulateOptions& options, const std::vector<ChoiceResults>& results, double seconds);

}  // namespace sotto::cli

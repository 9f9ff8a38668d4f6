// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto simulate`: what its source files share beside the library's simulation.

#include <filesystem>
#include <string>

#include "json.hpp"
#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

using analyzer::request::asks_labels;
using analyzer::request::ChoiceResults;
using analyzer::request::repeat_seed;
using analyzer::request::SimulateOptions;

/// What is asked, and where the answer goes.
struct SimulateCommand : SimulateOptions {
  std::string out;
  bool json = false;
};

/// May results be written there? A directory is a run's own from its first report on, and what others wrote is not
/// replaced.
/// Refuses  simulate.other_run; model.page_in_use: the page there is of a fit. With `goes_on` a store is no obstacle:
///          whether it is of the same command is seen in it.
[[nodiscard]] analyzer::Result<analyzer::Done> may_write_run(const std::filesystem::path& directory, bool goes_on);

/// Returns the exit code.
int simulate_vote(const SimulateCommand& command);
int simulate_model(const SimulateCommand& command);
int simulate_everyday(const SimulateCommand& command);

}  // namespace sotto::cli

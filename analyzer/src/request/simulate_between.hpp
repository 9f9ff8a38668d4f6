// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto simulate --between`: the stage that tells devices apart, its options and its world.

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/simulate/study_text.hpp"
#include "sotto/analyzer/simulate/synthetic_spec.hpp"

namespace sotto::analyzer::request {

void add_between(CLI::App& verb, SimulateOptions& options);
/// The columns of a synthetic fleet, none without the option.
/// Refuses  simulate.bad_world: --between is no number.
[[nodiscard]] Result<SyntheticLevels> synthetic_levels(const SimulateOptions& options);
/// The table [between] of the simulated study; without the option nothing.
[[nodiscard]] std::optional<BetweenDraft> between_draft(const SimulateOptions& options);
/// The options as the command line that reproduces them.
[[nodiscard]] std::string between_command(const SimulateOptions& options);

}  // namespace sotto::analyzer::request

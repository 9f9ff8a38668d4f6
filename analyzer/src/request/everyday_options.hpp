// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>

#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::request {

/// What is wrong with the options of a simulated everyday question: one that its kind does not take, one that is
/// missing, or one that a file of readings takes the place of. An option without effect would be a false answer.
[[nodiscard]] std::optional<Error> misused_everyday(const SimulateOptions& options);

/// The command line that repeats the simulation of such a question.
[[nodiscard]] std::string everyday_command(const SimulateOptions& options);

}  // namespace sotto::analyzer::request

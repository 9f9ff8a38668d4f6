// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>

#include "simulate.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// What is wrong with the options of a simulated everyday question: one that its kind does not take, one that is
/// missing, or one that a file of readings takes the place of. An option without effect would be a false answer.
[[nodiscard]] std::optional<analyzer::Error> misused_everyday(const SimulateOptions& options);

}  // namespace sotto::cli

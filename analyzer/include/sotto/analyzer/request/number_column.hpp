// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"

namespace sotto::analyzer::request {

/// One column of a file: the readings of each user, or of each row where no column says whose it is.
/// Refuses  what read_readings() refuses.
[[nodiscard]] Result<NumberColumn> read_number_column(const std::string& file, const std::string& column,
                                                      const std::string& user_column);
/// The same as the options of a simulation say it, from a file or from memory.
/// Refuses   what read_readings() refuses, and of rows in memory what read_table() does.
[[nodiscard]] Result<NumberColumn> read_number_column(const SimulateOptions& options);

}  // namespace sotto::analyzer::request

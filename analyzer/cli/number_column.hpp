// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"

namespace sotto::cli {

/// One column of a file: the readings of each user, or of each row where no column says whose it is.
/// Refuses  what analyzer::read_readings() refuses.
[[nodiscard]] analyzer::Result<analyzer::NumberColumn> read_number_column(const std::string& file,
                                                                          const std::string& column,
                                                                          const std::string& user_column);

}  // namespace sotto::cli

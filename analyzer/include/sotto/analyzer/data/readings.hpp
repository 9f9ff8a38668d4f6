// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads one column of numbers from a CSV file; what its other columns hold does not matter.

#include <filesystem>
#include <string>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The readings of each user, in the order of first appearance; without a user column every row is a user of its own.
/// Formats as of read_table(). A missing reading is left out, and who has no other.
/// Refuses   what read_table() refuses of files, data.unknown_column, data.ragged_row, data.not_a_number,
///           data.not_finite, data.no_rows.
[[nodiscard]] Result<std::vector<std::vector<double>>> read_readings(const std::filesystem::path& file,
                                                                     const std::string& column,
                                                                     const std::string& user);

}  // namespace sotto::analyzer

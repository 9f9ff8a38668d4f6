// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads a few named columns of a CSV file, such as the features that a prediction needs.

#include <filesystem>
#include <string>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Reads the named columns of comma-separated values, plain or gzip; `-` is stdin. Returns one vector for each row, in
/// the order of the names. Other columns are ignored.
/// Refuses   io.cannot_read, io.damaged_gzip; data.empty_file, data.unknown_column, data.ragged_row, data.open_quote,
///           data.not_a_number: each with the file, and the line where there is one.
[[nodiscard]] Result<std::vector<std::vector<double>>> read_columns(const std::filesystem::path& file,
                                                                    const std::vector<std::string>& names);

}  // namespace sotto::analyzer

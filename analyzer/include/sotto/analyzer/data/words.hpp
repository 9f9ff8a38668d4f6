// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads columns of a CSV file as they are written: categories, names and ids that are no numbers to count with.

#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The fields of some columns, one list for each user, in the order of first appearance.
using WordRows = std::vector<std::vector<std::string>>;

/// Reads the named columns, of each user the last row; without a user column every row is a user of its own. Formats as
/// of read_table(). Fields are trimmed; one that stands for a missing value is empty.
/// Refuses   what read_table() refuses of files, data.unknown_column, data.ragged_row, data.no_rows.
[[nodiscard]] Result<WordRows> read_words(const std::filesystem::path& file, std::span<const std::string> columns,
                                          const std::string& user);

}  // namespace sotto::analyzer

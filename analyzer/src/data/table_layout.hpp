// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "csv.hpp"
#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer {

inline constexpr std::size_t k_no_column = std::numeric_limits<std::size_t>::max();

/// The role of each column of a file, read off its first line.
struct TableLayout {
  std::vector<std::string> names;  ///< names of all columns
  std::size_t user = k_no_column, target = k_no_column;
  std::vector<std::size_t> features;  ///< places of the columns that features are made of
};

/// Reads the first line.
/// Refuses   the errors of read_table that concern names and roles of columns.
[[nodiscard]] Result<TableLayout> read_layout(CsvReader& csv, const TableColumns& columns);

}  // namespace sotto::analyzer

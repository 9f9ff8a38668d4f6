// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads CSV files with one row for each observation and groups the rows by user. Simulations, benchmarks, designs of
/// label studies and `sotto fit` read their data with it.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Which columns of a file are not features. Columns whose names begin with `meta_` never are features.
struct TableColumns {
  std::string user;             ///< empty: every row is a user of its own
  std::string target;           ///< required column; if empty, the table has no target and y is 0
  std::string left_out{};       ///< required column unless empty: ignored, whatever it holds
  std::size_t least_users = 2;  ///< a file with fewer users is refused
};

/// Features and targets of many users; the rows of a user are contiguous.
struct Table {
  std::vector<std::string> features;     ///< names, in the file's order
  std::vector<std::string> users;        ///< names, in order of first appearance
  std::vector<std::uint64_t> first_row;  ///< user u has the rows first_row[u] .. first_row[u + 1]
  std::vector<float> x;                  ///< row-major, rows() * features.size()
  std::vector<float> y;                  ///< rows()

  [[nodiscard]] std::size_t rows() const noexcept { return y.size(); }
  [[nodiscard]] std::span<const float> row(std::size_t at) const noexcept {
    return std::span(x).subspan(at * features.size(), features.size());
  }
};

/// Reads comma-separated values, plain or gzip (recognised by the first bytes, not by the name); `-` is stdin. The
/// first line names the columns; fields may be quoted (RFC 4180); blank lines are skipped. Rows are grouped by user and
/// keep the file's order within each user.
/// Refuses   io.cannot_read, io.damaged_gzip; data.empty_file, data.duplicate_column, data.unknown_column,
///           data.no_features, data.too_many_features (above 65535), data.ragged_row, data.open_quote,
///           data.not_a_number, data.not_finite, data.no_rows, data.one_user. Each names the file, and the line where
///           there is one.
[[nodiscard]] Result<Table> read_table(const std::filesystem::path& file, const TableColumns& columns);

/// Turns every row into a user of its own: the unit of an item-level study.
[[nodiscard]] Table one_row_each(Table table);

}  // namespace sotto::analyzer

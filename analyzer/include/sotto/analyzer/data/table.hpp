// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Which columns of a file are not features. Columns whose names begin with `meta_` never are.
struct TableColumns {
  std::string user;             ///< empty: every row is a user of its own
  std::string target;           ///< must be there; empty: the table has none, and y is 0
  std::string left_out{};       ///< must be there unless empty: a column that is neither, whatever it holds
  std::size_t least_users = 2;  ///< fewer are refused
};

/// Numbers of many users, the rows of a user one behind the other.
struct Table {
  std::vector<std::string> features;     ///< names, in the file's order
  std::vector<std::string> users;        ///< names, in order of first appearance
  std::vector<std::uint64_t> first_row;  ///< rows of user u: first_row[u] .. first_row[u + 1]
  std::vector<float> x;                  ///< row-major, rows() * features.size()
  std::vector<float> y;                  ///< rows()

  [[nodiscard]] std::size_t rows() const noexcept { return y.size(); }
  [[nodiscard]] std::span<const float> row(std::size_t at) const noexcept {
    return std::span(x).subspan(at * features.size(), features.size());
  }
};

/// Reads comma-separated values, plain or gzip (by the first bytes, not by the name); `-` is stdin. The first line names the
/// columns; fields may be quoted (RFC 4180); blank lines are skipped. Rows are grouped by user, in the file's order within each.
/// Refuses   io.cannot_read, io.damaged_gzip; data.empty_file, data.duplicate_column, data.unknown_column, data.no_features,
///           data.too_many_features (above 65535), data.ragged_row, data.open_quote, data.not_a_number, data.not_finite,
///           data.no_rows, data.one_user. Each names the file, and the line where there is one.
[[nodiscard]] Result<Table> read_table(const std::filesystem::path& file, const TableColumns& columns);

/// Every row as a user of its own, whoever it was of: what an item-level study asks about.
[[nodiscard]] Table one_row_each(Table table);

}  // namespace sotto::analyzer

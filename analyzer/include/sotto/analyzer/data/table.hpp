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

/// The levels (distinct values) of a column of text. Each becomes a feature: 1 where the row has the level, else 0.
struct ColumnLevels {
  std::string column;
  std::vector<std::string> levels{};
};

/// Which columns of a file are not features, and how the others are read. Columns whose names begin with `meta_` are
/// never features.
struct TableColumns {
  std::string user;                     ///< empty: every row is a user of its own
  std::string target;                   ///< required column; if empty, the table has no target and y is 0
  std::vector<std::string> left_out{};  ///< required columns: ignored, whatever they hold
  std::size_t least_users = 2;          ///< a file with fewer users is refused
  std::vector<ColumnLevels> levels{};   ///< required columns; any text that is not listed becomes the level "other"
  bool takes_levels_from_data = false;  ///< other columns of text get the levels that they have; else they are refused
  bool leaves_out_dates = false;        ///< columns of dates are left out; else they are refused as text
  bool keeps_missing = false;           ///< a missing feature becomes NaN; else it is refused
  std::vector<std::string> is_missing{};  ///< required columns: "<column> is missing", 0 or 1, becomes a feature too
  std::string positive{};                 ///< unless empty, the target is 1 where it has this text, else 0
  bool target_varies = false;             ///< a target that is the same in every row is refused
};

/// What a feature was made of.
struct FeatureSource {
  enum class Kind : std::uint8_t { number, level, other, missing };
  Kind kind = Kind::number;
  std::string column;
  std::string level{};  ///< the level, for Kind::level only
};

/// Features and targets of many users; the rows of a user are contiguous.
struct Table {
  std::vector<std::string> features;     ///< names, in the file's order
  std::vector<FeatureSource> sources{};  ///< one for each feature
  std::vector<std::string> users;        ///< names, in order of first appearance
  std::vector<std::uint64_t> first_row;  ///< user u has the rows first_row[u] .. first_row[u + 1]
  std::vector<float> x;                  ///< row-major, rows() * features.size()
  std::vector<float> y;                  ///< rows()
  std::vector<ColumnLevels> levels{};    ///< levels of every column of text, given or found
  std::vector<std::string> dates{};      ///< columns that were left out because they hold dates
  std::vector<std::string> notes{};      ///< sentences about how the file was read, where that is not obvious

  [[nodiscard]] std::size_t rows() const noexcept { return y.size(); }
  [[nodiscard]] std::span<const float> row(std::size_t at) const noexcept {
    return std::span(x).subspan(at * features.size(), features.size());
  }
};

/// Reads separated values, plain or gzip (recognised by the first bytes, not by the name); `-` is stdin. The first line
/// names the columns and determines whether commas, semicolons or tabs separate them; fields may be quoted (RFC 4180);
/// blank lines are skipped. Rows are grouped by user and keep the file's order within each user. The first value of a
/// column that is not missing determines whether the column holds numbers, dates or text; a value of another kind is
/// refused.
/// Refuses   io.cannot_read, io.damaged_gzip; data.empty_file, data.duplicate_column, data.unknown_column,
///           data.same_column, data.no_features, data.too_many_features (above 65535), data.ragged_row,
///           data.open_quote, data.not_a_number, data.not_finite, data.not_a_date, data.text_column: text without
///           levels; data.many_levels: more than 50 of them; data.bad_levels, data.no_rows, data.one_user,
///           data.constant_target. Each names the file, and the line where there is one.
[[nodiscard]] Result<Table> read_table(const std::filesystem::path& file, const TableColumns& columns);

/// Makes every row a separate user, as in a study that protects single records (item-level privacy).
[[nodiscard]] Table one_row_each(Table table);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads a few named columns of a CSV file, such as the features that a prediction needs.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The fields of some columns as they stand in the file.
struct ColumnFields {
  std::vector<std::vector<std::string>> rows;  ///< one field for each name, in the order of the names
  std::vector<std::uint64_t> lines;            ///< of the file in which the rows begin
  bool has_optional = false;                   ///< the column that need not be there is; its field is a row's last
  bool has_decimal_comma = false;              ///< fields are separated by semicolons, so that 1,5 is a number
};

/// Reads the fields of the named columns, plain or gzip; `-` is stdin. Other columns are ignored.
/// `optional` names a column that need not be there.
/// Refuses   io.cannot_read, io.damaged_gzip; data.empty_file, data.unknown_column, data.duplicate_column,
///           data.ragged_row, data.open_quote: each with the file, and the line where there is one.
[[nodiscard]] Result<ColumnFields> read_fields(const std::filesystem::path& file, const std::vector<std::string>& names,
                                               const std::string& optional = {});

/// What one field holds as a number; NaN where it is missing (empty, NA, N/A, NaN, null), nothing where it is no finite
/// number.
[[nodiscard]] std::optional<double> field_number(std::string_view field, bool has_decimal_comma);
/// Whether a field is missing.
[[nodiscard]] bool field_is_missing(std::string_view field);
/// A level of a column of words, or a class, as options, tables and models compare it: without the spaces around it, and
/// as the valid UTF-8 that a model file holds.
[[nodiscard]] std::string field_level(std::string_view field);

}  // namespace sotto::analyzer

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

/// The text of some columns of a file, unchanged.
struct ColumnFields {
  std::vector<std::vector<std::string>> rows;  ///< one field for each name, in the order of the names
  std::vector<std::uint64_t> lines;            ///< the line of the file in which each row begins
  bool has_optional = false;                   ///< the optional column exists; its field is the last of each row
  bool has_decimal_comma = false;              ///< fields are separated by semicolons, so 1,5 is a number
};

/// Reads the fields of the named columns, plain or gzip; `-` is stdin. Other columns are ignored. `optional` names a
/// column that the file may lack.
/// Refuses   io.cannot_read, io.damaged_gzip; data.empty_file, data.unknown_column, data.duplicate_column,
///           data.ragged_row, data.open_quote: each with the file, and the line where there is one.
[[nodiscard]] Result<ColumnFields> read_fields(const std::filesystem::path& file, const std::vector<std::string>& names,
                                               const std::string& optional = {});

/// The same of separated values in memory; `name` stands for the file in messages.
[[nodiscard]] Result<ColumnFields> read_fields_text(const std::string& name, const std::string& text,
                                                    const std::vector<std::string>& names);

/// The number in a field: NaN if the value is missing (empty, NA, N/A, NaN, null), nullopt if the field is not a finite
/// number.
[[nodiscard]] std::optional<double> field_number(std::string_view field, bool has_decimal_comma);
/// Whether the value of a field is missing.
[[nodiscard]] bool field_is_missing(std::string_view field);
/// The text of a field as it is compared with levels and classes in options, tables and models: without the spaces
/// around it, and as valid UTF-8.
[[nodiscard]] std::string field_level(std::string_view field);

}  // namespace sotto::analyzer

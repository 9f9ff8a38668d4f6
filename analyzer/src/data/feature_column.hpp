// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "csv.hpp"
#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer {

/// A column of a file from which features are made. Every field is stored as one float: the number itself, the index of
/// its level, or NaN if it is missing. Once all rows are read, expand() computes the features of a row from that float.
class FeatureColumn {
 public:
  FeatureColumn(std::string name, const TableColumns& how);

  /// Reads a field of the last record of `csv`.
  /// Refuses   data.not_a_number, data.not_finite, data.not_a_date, data.text_column, data.many_levels.
  [[nodiscard]] std::optional<Error> read(const CsvReader& csv, std::string_view text, float& out) {
    return kind_ == Kind::levels ? read_level(csv, text, out) : read_plain(csv, text, out);
  }

  [[nodiscard]] bool is_plain() const { return kind_ <= Kind::number && !has_is_missing_; }
  [[nodiscard]] bool is_dates() const { return kind_ == Kind::dates; }
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Appends the features that the column becomes, and the levels of a column of text.
  void describe(Table& table) const;
  /// Appends the values of these features for one field, given the float that read() stored.
  void expand(float value, std::vector<float>& row) const;

 private:
  enum class Kind : std::uint8_t { unknown, number, dates, levels };

  [[nodiscard]] std::optional<Error> read_plain(const CsvReader& csv, std::string_view text, float& out);
  [[nodiscard]] std::optional<Error> read_first_text(const CsvReader& csv, std::string_view text, float& out);
  [[nodiscard]] std::optional<Error> read_level(const CsvReader& csv, std::string_view text, float& out);

  std::string name_;
  Kind kind_ = Kind::unknown;
  bool takes_levels_ = false, leaves_out_dates_ = false, keeps_missing_ = false, has_is_missing_ = false;
  bool has_other_ = false;  ///< levels were given, so that a row may have another one
  std::vector<std::string> levels_;
  std::unordered_map<std::string, std::size_t> place_of_;
};

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "csv.hpp"
#include "sotto/analyzer/result.hpp"

// Some columns of a CSV file, by their names; what the others hold does not matter.
namespace sotto::analyzer {

class NamedColumns {
 public:
  /// Refuses  what CsvReader refuses, data.empty_file, data.unknown_column.
  [[nodiscard]] static Result<NamedColumns> open(const std::filesystem::path& file, std::span<const std::string> names);

  /// The fields of the next row, trimmed, in the order of the names; false at the end. Valid until the next call.
  /// Refuses  data.ragged_row.
  [[nodiscard]] Result<bool> next(std::vector<std::string_view>& fields);
  [[nodiscard]] const CsvReader& csv() const noexcept { return *csv_; }

 private:
  NamedColumns() = default;

  std::unique_ptr<CsvReader> csv_;
  std::vector<std::size_t> places_;
  std::vector<std::string_view> row_;
  std::size_t width_ = 0;
};

}  // namespace sotto::analyzer

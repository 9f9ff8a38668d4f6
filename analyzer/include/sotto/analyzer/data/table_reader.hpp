// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Tables that are in memory instead of a file: numbers by column, or text as a file would hold it.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer {

/// What reads a table as read_table() does, from wherever its rows are.
using TableReader = std::function<Result<Table>(const TableColumns&)>;

/// One column of numbers that somebody else holds, `stride` bytes from one to the next. NaN is a missing value.
struct NumberView {
  std::string name;
  const std::byte* first = nullptr;
  std::ptrdiff_t stride = 0;
  bool is_double = true;  ///< else floats

  [[nodiscard]] double at(std::size_t row) const noexcept;
};

/// Columns of equal length, and beside them the user of each row where users are named.
struct NumberFrame {
  std::string name;  ///< as the name of a file in messages
  std::size_t rows = 0;
  std::vector<NumberView> columns;
  std::string user_column;                ///< empty: none
  std::vector<std::uint32_t> users{};     ///< of each row, a number into user_names
  std::vector<std::string> user_names{};  ///< in the order of first appearance
};

/// The table that read_table() gives of a file with these columns, without the file.
/// Refuses   what read_table() refuses of numbers.
[[nodiscard]] Result<Table> read_frame(const NumberFrame& frame, const TableColumns& columns);

/// The same of separated values in memory; `name` stands for the file in messages.
/// Refuses   what read_table() refuses.
[[nodiscard]] Result<Table> read_table_text(const std::string& name, const std::string& text,
                                            const TableColumns& columns);

}  // namespace sotto::analyzer

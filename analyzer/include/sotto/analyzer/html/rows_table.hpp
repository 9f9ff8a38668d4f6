// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A table of the HTML pages. In a narrow window every row becomes a card of its own, so that nothing has to be
/// scrolled sideways.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// A table that is filled row by row. The first cell of a row is its name. An empty cell means that nothing is known;
/// a column in which nothing is known is left out.
class RowsTable {
 public:
  /// A column whose name begins with '#' is right-aligned, as numbers are.
  explicit RowsTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// Adds a row: one cell for each column.
  void row(std::vector<Html> cells) { rows_.push_back(std::move(cells)); }
  /// The table; `label` describes it to screen readers.
  [[nodiscard]] Html html(std::string_view label) const;

 private:
  [[nodiscard]] bool is_known(std::size_t column) const;
  std::vector<std::string> columns_;
  std::vector<std::vector<Html>> rows_;
};

}  // namespace sotto::analyzer::html

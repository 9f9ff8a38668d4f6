// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/rows_table.hpp"

#include <algorithm>

namespace sotto::analyzer::html {
namespace {

bool is_number(std::string_view column) { return column.starts_with('#'); }
std::string_view name_of(std::string_view column) { return column.substr(is_number(column) ? 1 : 0); }

}  // namespace

bool RowsTable::is_known(std::size_t column) const {
  if (column == 0 || rows_.empty()) return true;
  return std::ranges::any_of(rows_, [column](const std::vector<Html>& row) { return !row[column].text().empty(); });
}

Html RowsTable::html(std::string_view label) const {
  Html out = markup("<table aria-label=\"{}\">\n<thead><tr>", label);
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (is_known(i))
      out += markup("<th scope=\"col\"{}>{}</th>", is_number(columns_[i]) ? Html(" class=\"n\"") : Html(),
                    name_of(columns_[i]));
  }
  out += "</tr></thead>\n<tbody>\n";
  for (const std::vector<Html>& row : rows_) {
    out += markup("<tr><th scope=\"row\"{}>{}</th>", is_number(columns_[0]) ? Html(" class=\"n\"") : Html(), row[0]);
    for (std::size_t i = 1; i < columns_.size(); ++i) {
      if (!is_known(i)) continue;
      out += markup("<td data-name=\"{}\"{}>{}</td>", name_of(columns_[i]),
                    is_number(columns_[i]) ? Html(" class=\"n\"") : Html(),
                    row[i].text().empty() ? Html("&ndash;") : row[i]);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n";
}

}  // namespace sotto::analyzer::html

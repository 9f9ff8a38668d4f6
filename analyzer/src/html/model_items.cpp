// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <vector>

#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/heat_map.hpp"
#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/rows_table.hpp"

// Sections of everyday questions with one of many answers: the most common items, and the cells of a cross-tab.
namespace sotto::analyzer::html {
namespace {

Html share_text(double share) { return markup("{} %", fixed(100 * share, 2)); }

}  // namespace

Html items_section(const Model& m) {
  const Everyday& e = m.everyday;
  if (e.items.empty()) return {};
  std::vector<IntervalRow> rows;
  RowsTable table({"item", "#share", "#95 % interval", "#p of no device having it"});
  for (const EverydayItem& item : e.items) {
    rows.push_back({item.name, item.share, item.low, item.high, {}});
    table.row({name_html(item.name), share_text(item.share),
               markup("{} to {} %", fixed(100 * item.low, 2), fixed(100 * item.high, 2)),
               escape(p_text(item.p_value))});
  }
  return markup(
             "<section id=\"items\">\n<h2>The most common items</h2>\n<p>Of all devices the {}, as a fifth of them "
             "confirmed it that had not named the items. The chance that any item here is on no device is at most 5 "
             "%.</p>\n",
             e.what) +
         interval_key(false) +
         interval_chart(rows, "Shares of the most common items with 95 % intervals",
                        "One row for each item. The numbers are in the table below.") +
         table.html("The most common items") + "</section>\n";
}

Html cells_section(const Model& m) {
  const Everyday& e = m.everyday;
  if (e.rows.empty() || e.columns.empty() || e.cells.size() < e.rows.size() * e.columns.size()) return {};
  const auto cell = [&e](std::size_t i, std::size_t j) -> const EverydayCell& {
    return e.cells[i * e.columns.size() + j];
  };
  RowsTable table({"row / column", "#share", "#95 % interval"});
  for (const EverydayCell& c : e.cells)
    table.row(
        {name_html(c.name), share_text(c.share), markup("{} to {} %", fixed(100 * c.low, 2), fixed(100 * c.high, 2))});
  return markup(
             "<section id=\"cells\">\n<h2>The cross-tab</h2>\n<p>The {}, in percent. {} (p {}; Cram&eacute;r&#39;s V "
             "about "
             "{}, 0 for independent and 1 for one that tells the other).</p>\n",
             e.what,
             e.association_p <= m.level ? "Rows and columns go along with each other"
                                        : "That rows and columns are independent cannot be ruled out",
             p_text(e.association_p), fixed(e.cramers_v, 2)) +
         heat_map(
             e.rows, e.columns, [&](std::size_t i, std::size_t j) { return cell(i, j).share; },
             "Share of devices in each cell, in percent",
             "Cells by rows and columns, the darker the more devices. The numbers are in the table below.") +
         "<details><summary>The same as a table</summary>\n" + table.html("Cells as a table") +
         "</details>\n</section>\n";
}

}  // namespace sotto::analyzer::html

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "model_sections.hpp"
#include "sotto/analyzer/html/function_chart.hpp"
#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"
#include "sotto/analyzer/html/rows_table.hpp"

// The section of an everyday question: numbers with intervals, the distribution or the categories, and the series.
namespace sotto::analyzer::html {
namespace {

constexpr std::size_t k_cells_drawn = 40;
constexpr double k_bound = 1.96;  // standard errors up to the bound of a share

[[nodiscard]] bool is_share(const Everyday& e) { return e.kind == "event" || e.kind == "category" || e.kind == "vote"; }

/// A share as a percentage; any other number as it is, to what its interval lets one say, with its unit.
struct Told {
  bool in_percent;
  [[nodiscard]] std::string operator()(double value, const EverydayEstimate& of) const {
    if (in_percent) return fixed(100 * value, 2) + " %";
    const double width = std::abs(of.high - of.low);
    const int decimals =
        width > 0 && std::isfinite(width) ? std::clamp(2 - static_cast<int>(std::floor(std::log10(width))), 0, 6) : 2;
    return fixed(value, decimals) + (of.unit.empty() ? "" : " " + of.unit);
  }
};

Html numbers_of(const Everyday& e, const std::vector<EverydayEstimate>& estimates, std::string_view label) {
  const Told told{is_share(e)};
  RowsTable table({"", "#estimate", "#95 % interval"});
  for (const EverydayEstimate& of : estimates)
    table.row({name_html(of.name), markup("<b>{}</b>", told(of.value, of)),
               markup("{} to {}", told(of.low, of), told(of.high, of))});
  return table.html(label);
}

Html bins_chart(const Everyday& e) {
  std::vector<CurvePoint> steps;
  for (const EverydayCell& c : e.cells) {
    for (const double x : {c.from, c.until}) steps.push_back({x, 100 * c.share, 100 * c.low, 100 * c.high});
  }
  return function_chart(steps, {}, "Share of devices in each bin, in percent, with its 95 % band",
                        "A line in steps, one for each bin. The numbers are in the table below.");
}

Html categories_chart(const Everyday& e) {
  std::vector<IntervalRow> rows;
  for (const EverydayCell& c : e.cells) {
    if (rows.size() < k_cells_drawn) rows.push_back({c.name, c.share, c.low, c.high, {}});
  }
  return interval_key(false) + interval_chart(rows, "Shares with 95 % intervals",
                                              "One row for each category. The numbers are in the table below.");
}

Html distribution(const Everyday& e) {
  if (e.cells.empty()) return {};
  const bool named = !e.cells.front().name.empty();
  RowsTable table({e.kind == "vote" ? "answer" : named ? "category" : "readings", "#share", "#95 % interval"});
  for (const EverydayCell& c : e.cells) {
    table.row({named ? name_html(c.name) : markup("{} to {}", short_number(c.from), short_number(c.until)),
               markup("{} %", fixed(100 * c.share, 2)),
               markup("{} to {} %", fixed(100 * c.low, 2), fixed(100 * c.high, 2))});
  }
  const std::string unit = e.estimates.empty() ? "" : e.estimates.front().unit;
  return (named ? Html("<h3>Shares</h3>\n")
                : markup("<h3>Distribution</h3>\n<p>Percent of devices in each bar{}{}, with its 95 % band.</p>\n",
                         unit.empty() ? "" : ", by ", unit)) +
         (named ? categories_chart(e) : bins_chart(e)) + "<details><summary>The same as a table</summary>\n" +
         table.html("Shares as a table") + "</details>\n";
}

/// A line with its band, in the periods' order: what matters is how it changes, so that the axis need not begin at 0.
Html series(const Everyday& e) {
  if (e.series.empty()) return {};
  const double scale = is_share(e) ? 100 : 1;
  std::vector<CurvePoint> line;
  for (const EverydayEstimate& of : e.series)
    line.push_back({static_cast<double>(line.size() + 1), scale * of.value, scale * of.low, scale * of.high});
  const std::string& unit = e.series.front().unit;
  const std::string what = is_share(e)    ? e.kind == "category" ? unit + ", percent of devices" : "Percent of devices"
                           : unit.empty() ? "Mean"
                                          : "Mean, " + unit;
  return markup(
             "<h3>Over time</h3>\n<p>{}, {} to {}, with its 95 % band. Every device answered in one of the periods, "
             "drawn by public coins, with its whole epsilon.</p>\n",
             what, e.series.front().name, e.series.back().name) +
         function_chart(line, {}, "The estimates of the periods with their 95 % band",
                        "A line, one point for each period, in their order. The numbers are in the table below.") +
         "<details><summary>The same as a table</summary>\n" + numbers_of(e, e.series, "Periods as a table") +
         "</details>\n";
}

}  // namespace

Html everyday_section(const Model& m) {
  const Everyday& e = m.everyday;
  if (e.kind.empty() || e.estimates.size() + e.cells.size() == 0 || !e.rows.empty()) return {};
  Html clipped;
  if (e.clip_low < e.clip_high && e.clipped_error > 0)
    clipped = markup(
        "<p>Readings beyond {} to {} count as these ends: about {} % of devices are there, at most {} %. What is "
        "called "
        "clipped is of such readings. The interval of the mean has room for the others, wherever in the stated range "
        "they are.</p>\n",
        short_number(e.clip_low), short_number(e.clip_high), fixed(100 * e.clipped, 1),
        fixed(100 * std::min(1.0, e.clipped + k_bound * e.clipped_error), 1));
  return markup("<section id=\"everyday\">\n<h2>Estimates</h2>\n<p>{} {}.</p>\n", is_share(e) ? "The" : "Of", e.what) +
         (e.estimates.empty() ? Html() : numbers_of(e, e.estimates, "Estimates with intervals")) + clipped +
         distribution(e) + series(e) + "</section>\n";
}

}  // namespace sotto::analyzer::html

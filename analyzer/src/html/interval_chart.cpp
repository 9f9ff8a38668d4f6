// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/interval_chart.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_width = 860, k_left = 150, k_right = 24, k_row = 27, k_top = 6, k_bottom = 30;

std::string diamond(double x, double y) {
  constexpr double k_r = 5.5;
  return fmt::format("<path class=\"truth\" d=\"M{:.1f} {:.1f}l{r} {r}l-{r} {r}l-{r} -{r}z\"/>", x, y - k_r,
                     fmt::arg("r", k_r));
}

std::string whisker(double low, double high, double y) {
  constexpr double k_cap = 5;
  return fmt::format("<path class=\"whisker\" d=\"M{0:.1f} {1:.1f}v{3}M{0:.1f} {4:.1f}H{2:.1f}M{2:.1f} {1:.1f}v{3}\"/>",
                     low, y - k_cap, high, 2 * k_cap, y);
}

std::string short_label(const std::string& label) {
  constexpr std::size_t k_letters = 20;
  return label.size() <= k_letters ? label : label.substr(0, k_letters - 1) + "\xe2\x80\xa6";
}

}  // namespace

std::string interval_chart(std::span<const IntervalRow> rows, std::string_view title, std::string_view description) {
  double low = 0, high = 0;
  for (const IntervalRow& row : rows) {
    low = std::min({low, row.low, row.truth.value_or(0)});
    high = std::max({high, row.high, row.truth.value_or(0)});
  }
  const Axis axis = round_axis(low, high, 7, k_left, k_width - k_right);
  const double bottom = k_top + k_row * static_cast<double>(rows.size());
  std::string svg = fmt::format(
      "<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\"><title>{}</title><desc>{}</desc>\n", k_width,
      bottom + k_bottom, escape(title), escape(title), escape(description));
  for (const double tick : axis.ticks()) {
    svg += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>", axis.at(tick),
                       k_top, bottom);
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", axis.at(tick), bottom + 18,
                       percent_text(tick, axis.step));
  }
  double y = k_top + k_row / 2;
  for (const IntervalRow& row : rows) {
    svg += fmt::format("<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", k_left - 12, y + 4,
                       escape(short_label(row.label)));
    const double from = axis.at(std::min(0.0, row.estimate)), to = axis.at(std::max(0.0, row.estimate));
    svg += fmt::format("<rect class=\"bar\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"16\" rx=\"2\"/>", from,
                       y - 8, to - from);
    svg += whisker(axis.at(row.low), axis.at(row.high), y);
    svg += fmt::format("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{}\" r=\"3.5\"/>", axis.at(row.estimate), y);
    if (row.truth) svg += diamond(axis.at(*row.truth), y);
    svg += "\n";
    y += k_row;
  }
  svg += fmt::format("<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>\n</svg>\n", axis.at(0),
                     k_top, bottom);
  return svg;
}

std::string interval_key(bool with_truth) {
  std::string key = "<ul class=\"key\" aria-hidden=\"true\"><li><svg viewBox=\"0 0 26 16\">" + whisker(2, 24, 8) +
                    "<circle class=\"point\" cx=\"13\" cy=\"8\" r=\"3.5\"/></svg>estimate with its 95 % interval</li>";
  if (with_truth)
    key += "<li><svg viewBox=\"0 0 26 16\">" + diamond(13, 8) + "</svg>truth, which only the simulator knows</li>";
  return key + "</ul>\n";
}

}  // namespace sotto::analyzer::html

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/interval_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_width = 860, k_right = 24, k_row = 27, k_top = 6, k_bottom = 30, k_word = 96;

/// The width of a name in the picture: East Asian letters and pictographs are twice as wide.
constexpr std::size_t k_short = 20, k_long = 29;
constexpr double k_short_left = 150, k_long_left = 230;

Html diamond(double x, double y) {
  constexpr double k_r = 5.5;
  return markup("<path class=\"truth\" d=\"M{0:.1f} {1:.1f}l{2} {2}l-{2} {2}l-{2} -{2}z\"/>", x, y - k_r, k_r);
}

Html whisker(double low, double high, double y) {
  constexpr double k_cap = 5;
  return markup("<path class=\"whisker\" d=\"M{0:.1f} {1:.1f}v{3}M{0:.1f} {4:.1f}H{2:.1f}M{2:.1f} {1:.1f}v{3}\"/>", low,
                y - k_cap, high, 2 * k_cap, y);
}

std::size_t letter_bytes(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0xc0 ? 1 : byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
}

std::size_t letter_width(std::size_t bytes) { return bytes < 3 ? 1 : 2; }

std::size_t label_width(std::string_view label) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < label.size(); at += letter_bytes(label[at]))
    width += letter_width(letter_bytes(label[at]));
  return width;
}

/// Cut between two characters.
std::string short_label(const std::string& label, std::size_t most) {
  if (label_width(label) <= most) return label;
  std::size_t at = 0;
  for (std::size_t width = 0; at < label.size(); at += letter_bytes(label[at])) {
    width += letter_width(letter_bytes(label[at]));
    if (width >= most) break;
  }
  return label.substr(0, at) + "\xe2\x80\xa6";
}

Html point(double x, double y, bool is_open) {
  return is_open ? markup("<circle class=\"ring\" cx=\"{:.1f}\" cy=\"{}\" r=\"4\"/>", x, y)
                 : markup("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{}\" r=\"3.5\"/>", x, y);
}

bool has_interval(const IntervalRow& row) { return std::isfinite(row.low) && std::isfinite(row.high); }

std::string number_text(double value, double step) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step) - 1e-9)), 0, 9);
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  return text.front() == '-' && text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

Html row_svg(const IntervalRow& row, const Axis& axis, double y) {
  const double from = axis.at(std::min(0.0, row.estimate)), to = axis.at(std::max(0.0, row.estimate));
  Html svg = markup("<rect class=\"bar\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"16\" rx=\"2\"/>", from, y - 8,
                    to - from);
  const double mark = row.mark.value_or(row.estimate);
  if (has_interval(row)) svg += whisker(axis.at(row.low), axis.at(row.high), y);
  if (std::isfinite(mark)) svg += point(axis.at(mark), y, row.is_open);
  if (row.truth) svg += diamond(axis.at(*row.truth), y);
  return svg;
}

}  // namespace

Html interval_chart(std::span<const IntervalRow> rows, std::string_view title, std::string_view description,
                    ChartScale scale) {
  double low = 0, high = 0;
  bool is_long = false, has_words = false;
  for (const IntervalRow& row : rows) {
    const double mark = row.mark.value_or(row.estimate);
    for (const double x : {row.estimate, mark, row.low, row.high, row.truth.value_or(0)}) {
      if (!std::isfinite(x)) continue;
      low = std::min(low, x);
      high = std::max(high, x);
    }
    is_long = is_long || label_width(row.label) > k_short;
    has_words = has_words || !row.word.empty();
  }
  const double left = is_long ? k_long_left : k_short_left, right = k_width - k_right - (has_words ? k_word : 0);
  const Axis axis = round_axis(low, high, 7, left, right);
  const double bottom = k_top + k_row * static_cast<double>(rows.size());
  Html svg =
      markup("<svg viewBox=\"0 0 {:.0f} {:.0f}\" role=\"img\" aria-label=\"{}\"><title>{}</title><desc>{}</desc>\n",
             k_width, bottom + k_bottom, title, title, description);
  for (const double tick : axis.ticks()) {
    svg += markup("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>", axis.at(tick), k_top,
                  bottom);
    svg += markup("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", axis.at(tick), bottom + 18,
                  scale == ChartScale::percent ? percent_text(tick, axis.step) : number_text(tick, axis.step));
  }
  double y = k_top + k_row / 2;
  for (const IntervalRow& row : rows) {
    svg += markup("<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>", left - 12, y + 4,
                  short_label(row.label, is_long ? k_long : k_short));
    svg += row_svg(row, axis, y);
    if (!row.word.empty())
      svg += markup("<text class=\"word\" x=\"{}\" y=\"{}\">{}</text>", right + 14, y + 4, row.word);
    svg += "\n";
    y += k_row;
  }
  svg += markup("<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>\n</svg>\n", axis.at(0),
                k_top, bottom);
  return svg;
}

Html interval_key(bool with_truth) {
  Html key = "<ul class=\"key\" aria-hidden=\"true\"><li><svg viewBox=\"0 0 26 16\">" + whisker(2, 24, 8) +
             "<circle class=\"point\" cx=\"13\" cy=\"8\" r=\"3.5\"/></svg>estimate with its 95 % interval</li>";
  if (with_truth)
    key += "<li><svg viewBox=\"0 0 26 16\">" + diamond(13, 8) + "</svg>truth, which only the simulator knows</li>";
  return key + "</ul>\n";
}

Html two_estimates_key(std::string_view bar, std::string_view dot, std::string_view ring) {
  const auto entry = [](const Html& picture, std::string_view text) {
    return markup("<li><svg viewBox=\"0 0 26 16\">{}</svg>{}</li>", picture, text);
  };
  return "<ul class=\"key\" aria-hidden=\"true\">" +
         entry(Html("<rect class=\"bar\" x=\"1\" y=\"1\" width=\"24\" height=\"14\" rx=\"2\"/>"), bar) +
         entry(whisker(2, 24, 8) + point(13, 8, false), dot) + entry(whisker(2, 24, 8) + point(13, 8, true), ring) +
         "</ul>\n";
}

}  // namespace sotto::analyzer::html

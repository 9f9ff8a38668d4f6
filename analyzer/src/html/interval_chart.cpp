// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/interval_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/html/drawing.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_right = 24, k_row = 27, k_top = 6, k_bottom = 30, k_word = 96;

/// The width of a name in the picture: East Asian letters and pictographs are twice as wide.
constexpr std::size_t k_short = 20, k_long = 29;
constexpr double k_short_left = 150, k_long_left = 230;
/// On a telephone the name stands above its bar, and the word at the end of that line.
constexpr double k_narrow_side = 26, k_narrow_name = 21;
constexpr std::size_t k_narrow_letters = 28;

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

/// Where names, bars and words of a chart are.
struct Places {
  double left, right, row, bar;  ///< `bar`: from the top of a row to the middle of its bar
  std::size_t letters;           ///< of a name
};

Places places_of(const Drawing& paper, bool is_long, bool has_words) {
  if (paper.is_narrow) {
    constexpr double k_bar = k_narrow_name + 10;
    return {k_narrow_side, paper.width - k_narrow_side, k_bar + 14, k_bar, k_narrow_letters};
  }
  return {is_long ? k_long_left : k_short_left, paper.width - k_right - (has_words ? k_word : 0), k_row, k_row / 2,
          is_long ? k_long : k_short};
}

Html name_and_word(const IntervalRow& row, const Drawing& paper, const Places& at, double top) {
  const std::string name = short_label(row.label, at.letters);
  if (paper.is_narrow) {
    return markup(
        "<text class=\"name\" x=\"4\" y=\"{0}\">{1}</text><text class=\"word\" x=\"{2}\" y=\"{0}\" "
        "text-anchor=\"end\">{3}</text>",
        top + k_narrow_name - 5, name, paper.width - 4, row.word);
  }
  const double y = top + at.bar + 4;
  return markup(
      "<text class=\"name\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text class=\"word\" x=\"{}\" "
      "y=\"{}\">{}</text>",
      at.left - 12, y, name, at.right + 14, y, row.word);
}

Html draw(const Drawing& paper, std::span<const IntervalRow> rows, std::string_view title, std::string_view description,
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
  const Places at = places_of(paper, is_long, has_words);
  const Axis axis = round_axis(low, high, paper.is_narrow ? 4 : 7, at.left, at.right);
  const double bottom = k_top + at.row * static_cast<double>(rows.size());
  Html svg = paper.open(bottom + k_bottom, title, description);
  for (const double tick : axis.ticks()) {
    svg += markup("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>", axis.at(tick), k_top,
                  bottom);
    svg += markup("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", axis.at(tick), bottom + 18,
                  scale == ChartScale::percent ? percent_text(tick, axis.step) : number_text(tick, axis.step));
  }
  svg +=
      markup("<line class=\"axis\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1}\" y2=\"{2}\"/>\n", axis.at(0), k_top, bottom);
  double top = k_top;
  for (const IntervalRow& row : rows) {
    svg += name_and_word(row, paper, at, top) + row_svg(row, axis, top + at.bar) + "\n";
    top += at.row;
  }
  return svg + "</svg>\n";
}

}  // namespace

Html interval_chart(std::span<const IntervalRow> rows, std::string_view title, std::string_view description,
                    ChartScale scale) {
  return drawn_twice([&](const Drawing& paper) { return draw(paper, rows, title, description, scale); });
}

Html interval_key(bool with_truth) {
  Html key = "<ul class=\"key\" aria-hidden=\"true\"><li><svg viewBox=\"0 0 26 16\">" + whisker(2, 24, 8) +
             "<circle class=\"point\" cx=\"13\" cy=\"8\" r=\"3.5\"/></svg>estimate with its 95 % interval</li>";
  if (with_truth)
    key += "<li><svg viewBox=\"0 0 26 16\">" + diamond(13, 8) + "</svg>truth, which only the simulator knows</li>";
  return key + "</ul>\n";
}

Html two_estimates_key(std::string_view bar, std::string_view dot, std::string_view ring, bool with_truth) {
  const auto entry = [](const Html& picture, std::string_view text) {
    return markup("<li><svg viewBox=\"0 0 26 16\">{}</svg><span>{}</span></li>", picture, text);
  };
  Html key = "<ul class=\"key\" aria-hidden=\"true\">" +
             entry(Html("<rect class=\"bar\" x=\"1\" y=\"1\" width=\"24\" height=\"14\" rx=\"2\"/>"), bar) +
             entry(whisker(2, 24, 8) + point(13, 8, false), dot) + entry(whisker(2, 24, 8) + point(13, 8, true), ring);
  if (with_truth) key += entry(diamond(13, 8), "truth, which only the simulator knows");
  return key + "</ul>\n";
}

}  // namespace sotto::analyzer::html

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "interval_bars.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/text/printable.hpp"

namespace sotto::cli {
namespace {

constexpr int k_columns = 46;

struct Glyphs {
  std::string_view bar, left, line, right, point, truth, zero;
};
constexpr Glyphs k_unicode{"▒", "├", "─", "┤", "●", "◆", "│"};
constexpr Glyphs k_ascii{"=", "|", "-", "|", "o", "x", "."};

/// Two decimals, without a sign on values that round to zero.
std::string percent(double share) {
  const double hundredths = std::round(share * 1e4);
  return fmt::format("{:.2f}", hundredths == 0 ? 0.0 : hundredths / 100);
}

}  // namespace

std::string interval_bars(std::span<const analyzer::html::IntervalRow> rows, bool unicode) {
  const Glyphs& glyph = unicode ? k_unicode : k_ascii;
  double low = 0, high = 0;
  std::size_t label_width = 6;
  for (const auto& row : rows) {
    low = std::min(low, row.low);
    high = std::max({high, row.high, row.truth.value_or(0)});
    label_width = std::max(label_width, analyzer::printable(row.label).size());
  }
  const analyzer::html::Axis axis = analyzer::html::round_axis(low, high, 4, 0, k_columns - 1);
  const auto column = [&](double share) {
    return std::clamp(static_cast<int>(std::lround(axis.at(share))), 0, k_columns - 1);
  };

  const bool has_truth = std::ranges::any_of(rows, [](const auto& row) { return row.truth.has_value(); });
  std::string out = fmt::format("{:<{}}  {:>8}  {:^19}{}\n", "answer", label_width, "estimate", "95 % interval",
                                has_truth ? "     truth" : "");
  for (const auto& row : rows) {
    std::vector<std::string_view> cells(k_columns, " ");
    const auto put = [&](int from, int to, std::string_view what) {
      for (int c = std::min(from, to); c <= std::max(from, to); ++c) cells[static_cast<std::size_t>(c)] = what;
    };
    put(column(0), column(row.estimate), glyph.bar);
    put(column(0), column(0), glyph.zero);
    put(column(row.low), column(row.high), glyph.line);
    put(column(row.low), column(row.low), glyph.left);
    put(column(row.high), column(row.high), glyph.right);
    put(column(row.estimate), column(row.estimate), glyph.point);
    if (row.truth) put(column(*row.truth), column(*row.truth), glyph.truth);
    std::string picture;
    for (const std::string_view cell : cells) picture += cell;
    picture.erase(picture.find_last_not_of(' ') + 1);
    out += fmt::format("{:<{}}  {:>6} %  {:>6} .. {:>6} %  {}{}\n", analyzer::printable(row.label), label_width,
                       percent(row.estimate), percent(row.low), percent(row.high),
                       has_truth ? fmt::format("{:>6} %  ", percent(row.truth.value_or(0))) : "", picture);
  }
  return out + fmt::format("{:>{}}  {} estimate, {}{}{} 95 % interval{}\n", "", label_width + (has_truth ? 44 : 34),
                           glyph.point, glyph.left, glyph.line, glyph.right,
                           has_truth ? fmt::format(", {} truth", glyph.truth) : "");
}

bool locale_is_utf8() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    const std::string_view text(value);
    return text.find("UTF-8") != std::string_view::npos || text.find("utf8") != std::string_view::npos;
  }
  return false;
}

}  // namespace sotto::cli

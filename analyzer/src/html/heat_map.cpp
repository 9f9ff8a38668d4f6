// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/heat_map.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/html/drawing.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/text/printable.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_letter = 6.6, k_text_width = 34,
                 k_name_width = 72;  // of small print, of a percentage, and of a column's name

std::string cut(const std::string& name, double width) {
  const auto most = static_cast<std::size_t>(std::max(2.0, width / k_letter));
  if (name.size() <= most) return name;
  return std::string(first_letters(name, most - 1)) + "\xe2\x80\xa6";
}

}  // namespace

Html heat_map(std::span<const std::string> rows, std::span<const std::string> columns,
              const std::function<double(std::size_t, std::size_t)>& share, std::string_view title,
              std::string_view description) {
  double most = 0;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < columns.size(); ++j) most = std::max(most, share(i, j));
  }
  return drawn_twice([&](const Drawing& paper) {
    // The turned name of the last column reaches half of its length to the right.
    const double left = paper.is_narrow ? 84 : 150, right = k_name_width / 2 + 2,
                 width = (paper.width - left - right) / static_cast<double>(columns.size());
    const double height = std::clamp(width, 14.0, 28.0), top = 74;
    Html svg = paper.open(top + height * static_cast<double>(rows.size()) + 4, title, description);
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const double x = left + width * (static_cast<double>(j) + 0.5) + 4;
      svg += markup("<text class=\"name\" transform=\"translate({0:.1f} {1}) rotate(-60)\">{2}</text>", x, top - 6,
                    cut(columns[j], k_name_width));
    }
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const double y = top + height * static_cast<double>(i);
      svg += markup("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", left - 6,
                    y + height / 2 + 4, cut(rows[i], left - 8));
      for (std::size_t j = 0; j < columns.size(); ++j) {
        const double x = left + width * static_cast<double>(j), part = most > 0 ? share(i, j) / most : 0;
        svg += markup(
            "<rect class=\"band\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\"/><rect "
            "class=\"point\" "
            "opacity=\"{4:.2f}\" x=\"{0:.1f}\" y=\"{1:.1f}\" width=\"{2:.1f}\" height=\"{3:.1f}\"/>",
            x, y, width - 1.5, height - 1.5, 0.75 * part);
        if (width >= k_text_width)
          svg += markup("<text class=\"name\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>",
                        x + width / 2 - 0.7, y + height / 2 + 3.5, fixed(100 * share(i, j), 1));
      }
    }
    return svg + "</svg>\n";
  });
}

}  // namespace sotto::analyzer::html

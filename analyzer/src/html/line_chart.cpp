// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/line_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_width = 860, k_height = 320, k_left = 72, k_right = 24, k_top = 26, k_bottom = 48;

}  // namespace

std::string line_chart(std::span<const std::pair<double, double>> points, std::string_view x_name,
                       std::string_view y_name, std::string_view title, std::string_view description) {
  double low = std::numeric_limits<double>::infinity(), high = -low, last = 0;
  for (const auto& [x, y] : points) {
    if (!std::isfinite(y)) continue;
    low = std::min(low, y);
    high = std::max(high, y);
    last = std::max(last, x);
  }
  const Axis across = round_axis(0, last, 8, k_left, k_width - k_right);
  const Axis up = round_axis(low, high, 5, k_height - k_bottom, k_top);
  std::string svg =
      fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\"><title>{}</title><desc>{}</desc>\n",
                  k_width, k_height, escape(title), escape(title), escape(description));
  for (const double tick : up.ticks()) {
    svg += fmt::format("<line class=\"grid\" x1=\"{}\" x2=\"{}\" y1=\"{y:.1f}\" y2=\"{y:.1f}\"/>", k_left,
                       k_width - k_right, fmt::arg("y", up.at(tick)));
    svg += fmt::format("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", k_left - 8, up.at(tick) + 4,
                       plain_number(tick));
  }
  for (const double tick : across.ticks()) {
    svg += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", across.at(tick),
                       k_height - k_bottom + 18, plain_number(tick));
  }
  svg += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"{}\" y=\"14\">{}</text>\n",
                     k_width - k_right, k_height - 10, escape(x_name), k_left - 40, escape(y_name));
  std::string path, dots;
  for (const auto& [x, y] : points) {
    if (!std::isfinite(y)) continue;
    path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", across.at(x), up.at(y));
    dots += fmt::format("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", across.at(x), up.at(y));
  }
  return svg + fmt::format("<path class=\"whisker\" d=\"{}\"/>{}\n</svg>\n", path, dots);
}

}  // namespace sotto::analyzer::html

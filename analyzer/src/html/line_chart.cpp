// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/line_chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/html/drawing.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_height = 320, k_left = 72, k_right = 24, k_top = 26, k_bottom = 48;

struct Words {
  std::string_view x_name, y_name, title, description;
};

Html draw(const Drawing& paper, std::span<const std::pair<double, double>> points, const Words& words) {
  double low = std::numeric_limits<double>::infinity(), high = -low, last = 0;
  for (const auto& [x, y] : points) {
    if (!std::isfinite(y)) continue;
    low = std::min(low, y);
    high = std::max(high, y);
    last = std::max(last, x);
  }
  const Axis across = round_axis(0, last, paper.is_narrow ? 3 : 8, k_left, paper.width - k_right);
  const Axis up = round_axis(low, high, 5, k_height - k_bottom, k_top);
  Html svg = paper.open(k_height, words.title, words.description);
  for (const double tick : up.ticks()) {
    svg += markup("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>", k_left,
                  paper.width - k_right, up.at(tick));
    svg += markup("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", k_left - 8, up.at(tick) + 4,
                  plain_number(tick));
  }
  for (const double tick : across.ticks()) {
    svg += markup("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", across.at(tick),
                  k_height - k_bottom + 18, plain_number(tick));
  }
  svg += markup("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text><text x=\"{}\" y=\"14\">{}</text>\n",
                paper.width - k_right, k_height - 10, words.x_name, k_left - 40, words.y_name);
  Html path, dots;
  bool is_first = true;
  for (const auto& [x, y] : points) {
    if (!std::isfinite(y)) continue;
    path += markup("{}{:.1f} {:.1f}", is_first ? "M" : "L", across.at(x), up.at(y));
    is_first = false;
    dots += markup("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.5\"/>", across.at(x), up.at(y));
  }
  return svg + markup("<path class=\"whisker\" d=\"{}\"/>{}\n</svg>\n", path, dots);
}

}  // namespace

Html line_chart(std::span<const std::pair<double, double>> points, std::string_view x_name, std::string_view y_name,
                std::string_view title, std::string_view description) {
  return drawn_twice([&](const Drawing& paper) { return draw(paper, points, {x_name, y_name, title, description}); });
}

}  // namespace sotto::analyzer::html

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/dot_chart.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/html/drawing.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_height = 300, k_left = 64, k_right = 20, k_top = 12, k_bottom = 34;
constexpr std::size_t k_dots_max = 4096;

struct Dots {
  std::span<const double> values;
  std::span<const std::uint32_t> marked;
  double half_band;
  std::size_t stride;
  std::string_view title, description;
};

Html draw(const Drawing& paper, const Dots& dots) {
  const auto& [values, marked, half_band, stride, title, description] = dots;
  const double width = paper.width;
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const Axis y = round_axis(std::min(*least, -half_band), std::max(*most, half_band), 5, k_height - k_bottom, k_top);
  const double count = static_cast<double>(values.size());
  const auto x = [count, width](double i) { return k_left + (i + 0.5) / count * (width - k_left - k_right); };
  Html svg = paper.open(k_height, title, description);
  svg += markup("<rect class=\"band\" x=\"{}\" width=\"{}\" y=\"{:.1f}\" height=\"{:.1f}\"/>\n", k_left,
                width - k_left - k_right, y.at(half_band), y.at(-half_band) - y.at(half_band));
  for (const double tick : y.ticks()) {
    svg += markup("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>", k_left, width - k_right,
                  y.at(tick));
    svg += markup("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", k_left - 8, y.at(tick) + 4,
                  percent_text(tick, y.step));
  }
  const Axis numbers = round_axis(0, count, paper.is_narrow ? 3 : 8, 0, 1);
  for (const double tick : numbers.ticks()) {
    if (tick >= count) break;
    svg += markup("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(tick), k_height - 12, tick);
  }
  for (std::size_t i = 0; i < values.size(); i += stride) {
    svg += markup("<circle class=\"quiet\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"1.8\"/>\n", x(static_cast<double>(i)),
                  y.at(values[i]));
  }
  for (const std::uint32_t i : marked) {
    svg += markup("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"4.5\"/>\n", x(i), y.at(values[i]));
  }
  svg += markup("<line class=\"axis\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>\n</svg>\n", k_left,
                width - k_right, y.at(0));
  return svg;
}

}  // namespace

Html dot_chart(std::span<const double> values, std::span<const std::uint32_t> marked, double half_band,
               std::string_view title, std::string_view description, std::size_t& shown) {
  const std::size_t stride = (values.size() + k_dots_max - 1) / k_dots_max;
  shown = (values.size() + stride - 1) / stride;
  const Dots dots{values, marked, half_band, stride, title, description};
  return drawn_twice([&dots](const Drawing& paper) { return draw(paper, dots); });
}

}  // namespace sotto::analyzer::html

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/function_chart.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/html/drawing.hpp"
#include "sotto/analyzer/html/number_text.hpp"
#include "sotto/analyzer/html/page.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_height = 340, k_right = 20, k_top = 12, k_bottom = 34;

Html draw(const Drawing& paper, std::span<const CurvePoint> curve, std::span<const double> truth,
          std::string_view title, std::string_view description) {
  const double width = paper.width, left = 64;
  double low = curve.front().low, high = curve.front().high;
  for (const CurvePoint& p : curve) {
    low = std::min(low, p.low);
    high = std::max(high, p.high);
  }
  for (const double t : truth) {
    low = std::min(low, t);
    high = std::max(high, t);
  }
  const Axis x = round_axis(curve.front().x, curve.back().x, paper.is_narrow ? 3 : 8, left, width - k_right);
  const Axis y = round_axis(low, high, 6, k_height - k_bottom, k_top);
  Html svg = paper.open(k_height, title, description);
  for (const double tick : y.ticks()) {
    svg += markup("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>", left, width - k_right,
                  y.at(tick));
    svg += markup("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", left - 8, y.at(tick) + 4,
                  plain_number(tick));
  }
  for (const double tick : x.ticks())
    svg += markup("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x.at(tick), k_height - 12,
                  plain_number(tick));
  Html band("M");
  for (const CurvePoint& p : curve) band += markup(" {:.1f} {:.1f}", x.at(p.x), y.at(p.high));
  for (std::size_t i = curve.size(); i-- > 0;) band += markup(" {:.1f} {:.1f}", x.at(curve[i].x), y.at(curve[i].low));
  svg += markup("<path class=\"band\" d=\"{} Z\"/>\n", band);
  Html line("M");
  for (const CurvePoint& p : curve) line += markup(" {:.1f} {:.1f}", x.at(p.x), y.at(p.fit));
  svg += markup("<path class=\"curve\" d=\"{}\"/>\n", line);
  if (truth.size() == curve.size()) {
    Html true_line("M");
    for (std::size_t i = 0; i < truth.size(); ++i)
      true_line += markup(" {:.1f} {:.1f}", x.at(curve[i].x), y.at(truth[i]));
    svg += markup("<path class=\"true-line\" d=\"{}\"/>\n", true_line);
  }
  return svg + "</svg>\n";
}

}  // namespace

Html function_chart(std::span<const CurvePoint> curve, std::span<const double> truth, std::string_view title,
                    std::string_view description) {
  return drawn_twice([&](const Drawing& paper) { return draw(paper, curve, truth, title, description); });
}

}  // namespace sotto::analyzer::html

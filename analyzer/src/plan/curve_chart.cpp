// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "curve_chart.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/html/axis.hpp"
#include "sotto/analyzer/html/drawing.hpp"
#include "sotto/analyzer/html/number_text.hpp"

namespace sotto::analyzer::html {
namespace {

constexpr double k_curve_height = 300, k_curve_left = 64, k_curve_right = 24, k_curve_top = 28, k_curve_bottom = 48;

struct CurveWords {
  double own = 0, zero = 0;
  std::string_view x_name, title;
};

Html draw_curve(const Drawing& paper, const std::vector<CurveValue>& curve, const CurveWords& words) {
  double most = words.zero;
  for (const CurveValue& p : curve)
    most = std::isfinite(p.high) ? std::max(most, std::min(p.high, 2 * words.zero)) : most;
  const Axis up = round_axis(0, most, 4, k_curve_height - k_curve_bottom, k_curve_top);
  const double first = std::log(curve.front().x), last = std::max(first + 1e-9, std::log(curve.back().x));
  const auto across = [&](double x) {
    return k_curve_left + (std::log(x) - first) / (last - first) * (paper.width - k_curve_right - k_curve_left);
  };
  Html svg = paper.open(k_curve_height, words.title, "The numbers are in the table below.");
  for (const double tick : up.ticks()) {
    svg += markup("<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>", k_curve_left,
                  paper.width - k_curve_right, up.at(tick));
    svg += markup("<text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", k_curve_left - 8, up.at(tick) + 4,
                  plain_number(tick));
  }
  Html path, dots;
  bool is_first = true;
  for (const CurveValue& p : curve) {
    const double x = across(p.x);
    svg += markup("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x,
                  k_curve_height - k_curve_bottom + 18, plain_number(p.x));
    if (!std::isfinite(p.predicted)) continue;
    const double y = up.at(std::min(p.predicted, most));
    path += markup("{}{:.1f} {:.1f}", is_first ? "M" : "L", x, y);
    is_first = false;
    dots += markup("<line class=\"whisker\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>", x,
                   up.at(std::min(p.low, most)), up.at(std::min(p.high, most)));
    dots += markup("<circle class=\"point\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\"/>", x, y, p.x == words.own ? 7 : 3);
  }
  svg += markup("<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}; the large dot is this fleet</text>\n",
                paper.width - k_curve_right, k_curve_height - 10, words.x_name);
  svg += markup("<text x=\"{}\" y=\"14\">predicted error</text>\n", 8);
  return svg + markup("<path class=\"whisker\" fill=\"none\" d=\"{}\"/>{}\n</svg>\n", path, dots);
}

}  // namespace

Html curve_chart(const std::vector<CurveValue>& curve, double own, double zero, std::string_view x_name,
                 std::string_view title) {
  return drawn_twice([&](const Drawing& paper) { return draw_curve(paper, curve, {own, zero, x_name, title}); });
}

}  // namespace sotto::analyzer::html

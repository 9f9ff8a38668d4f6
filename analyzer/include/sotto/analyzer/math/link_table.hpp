// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Tabulates a smooth link function for devices, which evaluate it with integers.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "sotto/local/link.hpp"

namespace sotto::analyzer {

/// A link's table with its memory: what a study broadcasts and a firmware keeps in flash.
struct LinkTableData {
  std::int32_t first_q24 = 0;
  std::uint32_t log2_step = 22;
  std::vector<LinkPoint> points;

  [[nodiscard]] Link link() const { return {LinkKind::table, {first_q24, log2_step, link_points(points)}}; }
};

/// The table of f/scale over [low, high], with at most `points` (2 to 65) points and the smallest step (a power of two)
/// with which they cover the range. `scale` is one unit of the Q15 target; value(u) = f(u), slope(u) = f'(u) >= 0.
template <class Value, class Slope>
[[nodiscard]] LinkTableData link_table(Value value, Slope slope, double low, double high, double scale,
                                       std::size_t points = k_link_points_max) {
  constexpr double k_q24 = 16777216.0, k_limit = 64.0;
  LinkTableData table;
  table.log2_step = 16;
  const double most = static_cast<double>(points) - 1;
  while (table.log2_step < 26 && std::ldexp(most, static_cast<int>(table.log2_step) - 24) < high - low)
    ++table.log2_step;
  const double step = std::ldexp(1.0, static_cast<int>(table.log2_step) - 24);
  table.first_q24 = static_cast<std::int32_t>(std::lround(low * k_q24));
  const double first = table.first_q24 / k_q24;
  const auto cells = std::clamp(std::ceil((high - first) / step), 1.0, most);
  for (int k = 0; k <= static_cast<int>(cells); ++k) {
    const double u = first + k * step;
    const auto q24 = [=](double v) {
      return static_cast<std::int32_t>(std::lround(std::clamp(v / scale, -k_limit, k_limit) * k_q24));
    };
    table.points.push_back({q24(value(u)), q24(std::max(0.0, static_cast<double>(slope(u))))});
  }
  return table;
}

}  // namespace sotto::analyzer

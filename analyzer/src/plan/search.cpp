// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "search.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {

std::optional<double> smallest_that(const std::function<std::optional<double>(double)>& measure, double wanted,
                                    double low, double high, double near, double precision) {
  constexpr double k_factor = 3;
  const auto is_met = [&](double x) {
    const std::optional<double> value = measure(x);
    return value && *value <= wanted;
  };
  double at = std::clamp(near, low, high);
  // Brackets the answer around where the search begins, then halves the bracket in logarithms.
  double below = at, above = at;
  if (is_met(at)) {
    while (below > low) {
      below = std::max(low, below / k_factor);
      if (!is_met(below)) break;
      above = below;
    }
    if (below == above) return below;
  } else {
    while (above < high) {
      above = std::min(high, above * k_factor);
      if (is_met(above)) break;
      below = above;
    }
    if (below == above) return {};
  }
  while (above > precision * below) {
    const double middle = std::sqrt(above * below);
    (is_met(middle) ? above : below) = middle;
  }
  return above;
}

}  // namespace sotto::analyzer

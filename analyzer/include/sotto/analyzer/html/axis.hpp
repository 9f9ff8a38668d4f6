// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Axes with round tick values for the SVG charts of the HTML pages.

#include <string>
#include <vector>

namespace sotto::analyzer::html {

/// A linear axis whose ends are round numbers.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;
  double from = 0;  ///< picture coordinate of `low`
  double to = 1;    ///< picture coordinate of `high`

  /// The picture coordinate of a value.
  [[nodiscard]] double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
  [[nodiscard]] std::vector<double> ticks() const;
};

/// An axis that covers [low, high] with about `count` ticks at 1, 2 or 5 times a power of ten.
[[nodiscard]] Axis round_axis(double low, double high, int count, double from, double to);

/// A share in per cent, with as many decimals as distinguish neighbouring ticks.
[[nodiscard]] std::string percent_text(double share, double step);

}  // namespace sotto::analyzer::html

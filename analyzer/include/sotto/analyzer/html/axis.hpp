// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

namespace sotto::analyzer::html {

/// A linear axis that ends on round numbers.
struct Axis {
  double low = 0;
  double high = 1;
  double step = 1;
  double from = 0;  ///< where `low` lies on the picture
  double to = 1;    ///< where `high` lies

  [[nodiscard]] double at(double value) const { return from + (value - low) / (high - low) * (to - from); }
  [[nodiscard]] std::vector<double> ticks() const;
};

/// An axis that holds [low, high] with about `count` ticks at 1, 2 or 5 times a power of ten.
[[nodiscard]] Axis round_axis(double low, double high, int count, double from, double to);

/// A share as per cent, with the decimals that tell neighbouring ticks apart.
[[nodiscard]] std::string percent_text(double share, double step);

}  // namespace sotto::analyzer::html

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace sotto::analyzer::html {

/// One line of a chart: a share, its interval, and the truth where a simulation knows it.
struct IntervalRow {
  std::string label;
  double estimate = 0;
  double low = 0;
  double high = 0;
  std::optional<double> truth;
};

/// Bars with whiskers as inline SVG, one row each, with a title and description for readers who do not see it.
[[nodiscard]] std::string interval_chart(std::span<const IntervalRow> rows, std::string_view title,
                                         std::string_view description);

/// The symbols of interval_chart, explained.
[[nodiscard]] std::string interval_key(bool with_truth);

}  // namespace sotto::analyzer::html

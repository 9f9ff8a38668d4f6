// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// One line of a chart: an estimate, its interval, and the truth where a simulation knows it.
struct IntervalRow {
  std::string label;
  double estimate = 0;
  double low = 0;
  double high = 0;
  std::optional<double> truth;
  std::optional<double> mark{};  ///< the point of the interval, where that is not the estimate
  bool is_open = false;          ///< the point is a ring
  std::string word{};            ///< beside the row, so that shape and colour are not alone
};

enum class ChartScale { percent, number };

/// Bars with whiskers as inline SVG, one row each, with a title and description for readers who do not see it. An
/// interval that is not finite is not drawn.
[[nodiscard]] Html interval_chart(std::span<const IntervalRow> rows, std::string_view title,
                                  std::string_view description, ChartScale scale = ChartScale::percent);

/// The symbols of interval_chart, explained.
[[nodiscard]] Html interval_key(bool with_truth);
/// The same where bars and intervals are different estimates, with `ring` in words.
[[nodiscard]] Html two_estimates_key(std::string_view bar, std::string_view dot, std::string_view ring);

}  // namespace sotto::analyzer::html

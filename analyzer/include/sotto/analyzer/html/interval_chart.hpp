// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The chart of estimates with confidence intervals, such as coefficients or vote shares.

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// One row of the chart: an estimate, its interval, and the true value where a simulation knows it.
struct IntervalRow {
  std::string label;
  double estimate = 0;
  double low = 0;
  double high = 0;
  std::optional<double> truth;
  std::optional<double> mark{};  ///< centre of the interval, where that is not the estimate
  bool is_open = false;          ///< the centre is drawn as a ring
  std::string word{};            ///< a word beside the row, so that shape and colour are not the only cue
};

enum class ChartScale { percent, number };

/// Bars with whiskers as inline SVG, one row each, with a title and a description for screen readers. An interval that
/// is not finite is not drawn.
[[nodiscard]] Html interval_chart(std::span<const IntervalRow> rows, std::string_view title,
                                  std::string_view description, ChartScale scale = ChartScale::percent);

/// The legend of interval_chart().
[[nodiscard]] Html interval_key(bool with_truth);
/// The legend where bars and intervals are different estimates; the arguments describe bar, dot and ring.
[[nodiscard]] Html two_estimates_key(std::string_view bar, std::string_view dot, std::string_view ring,
                                     bool with_truth);

}  // namespace sotto::analyzer::html

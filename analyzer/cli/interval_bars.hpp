// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <string>

#include "sotto/analyzer/html/interval_chart.hpp"

namespace sotto::cli {

/// The chart of an HTML page as lines of text: bar to the estimate, whiskers of the interval, a mark at the truth where
/// a row has one. Without `unicode` only ASCII is used.
[[nodiscard]] std::string interval_bars(std::span<const analyzer::html::IntervalRow> rows, bool unicode);

/// Does the locale of the environment promise UTF-8?
[[nodiscard]] bool locale_is_utf8();

}  // namespace sotto::cli

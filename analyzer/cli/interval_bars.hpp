// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Draws estimates with confidence intervals as text for the terminal.

#include <span>
#include <string>

#include "sotto/analyzer/html/interval_chart.hpp"

namespace sotto::cli {

/// The interval chart of the HTML pages as lines of text: a bar to the estimate, whiskers for the interval, a mark at
/// the true value where a row has one. Without `unicode` only ASCII is used.
[[nodiscard]] std::string interval_bars(std::span<const analyzer::html::IntervalRow> rows, bool unicode);

/// Whether the environment's locale uses UTF-8.
[[nodiscard]] bool locale_is_utf8();

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The chart of all votes of a simulated fleet: one dot for each feature.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// One dot for each value, in the order of their indices; the marked ones are larger, and a band of +-half_band around
/// zero lies behind them. Beyond 4096 values the unmarked ones are thinned evenly; `shown` returns how many are drawn.
[[nodiscard]] Html dot_chart(std::span<const double> values, std::span<const std::uint32_t> marked, double half_band,
                             std::string_view title, std::string_view description, std::size_t& shown);

}  // namespace sotto::analyzer::html

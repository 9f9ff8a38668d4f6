// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// Every value in order of its number as one dot; the marked ones larger, and a band of +-half_band around zero behind
/// them. Beyond 4096 values the unmarked ones are thinned evenly; `shown` says how many stayed.
[[nodiscard]] Html dot_chart(std::span<const double> values, std::span<const std::uint32_t> marked, double half_band,
                             std::string_view title, std::string_view description, std::size_t& shown);

}  // namespace sotto::analyzer::html

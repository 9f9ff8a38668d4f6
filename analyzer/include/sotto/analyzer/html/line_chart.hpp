// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A line chart with named axes, such as the loss by pass of a fit.

#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "sotto/analyzer/html/html.hpp"

namespace sotto::analyzer::html {

/// Points (x, y) in order of x, joined by a line. At least one point must be finite.
[[nodiscard]] Html line_chart(std::span<const std::pair<double, double>> points, std::string_view x_name,
                              std::string_view y_name, std::string_view title, std::string_view description);

}  // namespace sotto::analyzer::html

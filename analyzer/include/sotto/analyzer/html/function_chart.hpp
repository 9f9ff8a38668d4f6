// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The chart of a learned function of one feature.

#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"
#include "sotto/analyzer/model/learned_function.hpp"

namespace sotto::analyzer::html {

/// The fit as a line, its confidence band behind it, and, where it is known, the true function as a dashed line at the
/// same points.
[[nodiscard]] Html function_chart(std::span<const CurvePoint> curve, std::span<const double> truth,
                                  std::string_view title, std::string_view description);

}  // namespace sotto::analyzer::html

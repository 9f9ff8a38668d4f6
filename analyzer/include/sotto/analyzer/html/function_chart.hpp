// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/html/html.hpp"
#include "sotto/analyzer/model/learned_function.hpp"

namespace sotto::analyzer::html {

/// A function of one feature: the fit as a line, its band behind it, and the truth, dashed, at the same points where it
/// is known.
[[nodiscard]] Html function_chart(std::span<const CurvePoint> curve, std::span<const double> truth,
                                  std::string_view title, std::string_view description);

}  // namespace sotto::analyzer::html

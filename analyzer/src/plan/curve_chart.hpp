// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string_view>
#include <vector>

#include "sotto/analyzer/html/html.hpp"
#include "sotto/analyzer/plan/plan.hpp"

namespace sotto::analyzer::html {

/// Predicted errors over devices or epsilon, x by its logarithm: a line, ranges, and the fleet's own point larger than
/// the others. `zero` is the error of a model that says nothing.
[[nodiscard]] Html curve_chart(const std::vector<CurveValue>& curve, double own, double zero, std::string_view x_name,
                               std::string_view title);

}  // namespace sotto::analyzer::html

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <functional>
#include <optional>

namespace sotto::analyzer {

/// The smallest x of [low, high] with measure(x) <= wanted, for a measure that falls with x up to the chance of a
/// simulation, up to the factor `precision`; `near` is where the search begins. Nothing: measure(high) is above it.
/// `measure` may have no value, which counts as too large.
[[nodiscard]] std::optional<double> smallest_that(const std::function<std::optional<double>(double)>& measure,
                                                  double wanted, double low, double high, double near,
                                                  double precision);

}  // namespace sotto::analyzer

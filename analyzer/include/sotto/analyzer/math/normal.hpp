// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cmath>
#include <numbers>

namespace sotto::analyzer {

/// Standard errors on either side of an estimate that 95 % of intervals need.
inline constexpr double k_interval_95 = 1.959963984540054;

/// P(Z < z), Z normal.
[[nodiscard]] inline double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The normal distribution function, and the width of a 95 % confidence interval.

#include <cmath>
#include <numbers>

namespace sotto::analyzer {

/// The half width of a 95 % confidence interval, in standard errors.
inline constexpr double k_interval_95 = 1.959963984540054;

/// P(Z < z) for a standard normal Z.
[[nodiscard]] inline double normal_below(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

}  // namespace sotto::analyzer

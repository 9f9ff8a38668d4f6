// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A table of normal quantiles, from which synthetic data are drawn quickly.

#include <vector>

namespace sotto::analyzer {

/// The normal distribution as 65,536 equiprobable numbers, ascending: the quantiles at (i + 1/2) / 65536, scaled by 1 +
/// 1.0e-5 so that the variance is exactly 1. A number takes sixteen random bits. No number is beyond 4.33 deviations (a
/// normal variable is with probability 1.5e-5), and the fourth moment is 2.9992.
[[nodiscard]] const std::vector<float>& normal_table();

}  // namespace sotto::analyzer

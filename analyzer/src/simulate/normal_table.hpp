// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <vector>

namespace sotto::analyzer {

/// The normal law as 65,536 equiprobable numbers, ascending: the quantiles at (i + 1/2) / 65536, stretched by 1.0e-5 so that the
/// variance is exactly 1. Sixteen random bits make a number, four numbers a word. What it costs: nothing lies beyond 4.33
/// deviations (the law has 1.5e-5 of its mass there) and the fourth moment is 2.9992.
[[nodiscard]] const std::vector<float>& normal_table();

}  // namespace sotto::analyzer

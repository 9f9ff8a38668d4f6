// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The range that the values of a column usually lie in, told by its deciles: what is beyond is an outlier, and does not
/// set the column's scale.

#include <limits>
#include <vector>

namespace sotto::analyzer {

struct UsualRange {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

/// How many deviations the range reaches from the median on either side.
inline constexpr double k_usual_deviations = 20;

/// The median, and 20 deviations on either side; a deviation is what a normal column has between its first and ninth
/// decile. Where these are equal, as in a column that is mostly zero, it is told by the values that differ from the
/// median. Without such values there is no limit.
/// Privacy   computed from the values without noise: for simulations and fits without privacy only.
[[nodiscard]] UsualRange usual_range(std::vector<double> values);

}  // namespace sotto::analyzer

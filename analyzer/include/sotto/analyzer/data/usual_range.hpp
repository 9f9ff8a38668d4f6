// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A robust range of the values of a column, from its deciles. Values outside it are outliers, which do not determine
/// the column's scale.

#include <limits>
#include <vector>

namespace sotto::analyzer {

/// The ends of the range; infinite where there is no limit.
struct UsualRange {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

/// How many deviations the range reaches from the median on either side.
inline constexpr double k_usual_deviations = 20;

/// The median plus and minus 20 deviations. The deviation is estimated from the distance between the first and the
/// ninth decile, as for a normal distribution. If these are equal, as in a column that is mostly zero, it is estimated
/// from the values that differ from the median; if there are none, the range is infinite.
/// Privacy   computed from the values without noise: only for simulations and for fits without privacy.
[[nodiscard]] UsualRange usual_range(std::vector<double> values);

}  // namespace sotto::analyzer

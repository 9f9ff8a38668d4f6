// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Checks whether the randomized labels agree with the declared distribution of the target.

#include <optional>
#include <string>

#include "plan.hpp"
#include "rows.hpp"

namespace sotto::analyzer {

/// The result of the check against a normal target of the declared deviation, clipped and randomized.
struct LawCheck {
  double p_value = 1;    ///< of Pearson's chi-square test of the reports' shares against the declared law
  double deviation = 0;  ///< of the normal target with the best fit, on a grid of factors of 1.05
  bool fits = true;      ///< false: the test fails at 1 % and that deviation is off by more than a fifth
};

/// Uses the shares of a window's outcomes, or of ten classes of an additive report that are equally likely under the
/// declared law. It reads only randomized reports. A law of another shape with the right deviation passes, because the
/// fit uses the response of the clip and not the law. Returns nothing for a channel with two outcomes, whose shares
/// tell the mean but not the deviation, and for fewer than 50 reports.
[[nodiscard]] std::optional<LawCheck> check_law(const RegressionTerms& terms, const LabelPlan& plan,
                                                const ScalarLaw& law, const std::vector<double>& labels);

}  // namespace sotto::analyzer

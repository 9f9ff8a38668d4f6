// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>

#include "plan.hpp"
#include "rows.hpp"

namespace sotto::analyzer {

/// Do the labels look like a normal target of the declared deviation, clipped and randomized?
struct LawCheck {
  double p_value = 1;    ///< Pearson's chi-square of the reports' shares against the declared law
  double deviation = 0;  ///< of the normal target that the shares fit best, on a grid of factors of 1.05
  bool fits = true;      ///< false: both the test fails at 1 % and that deviation is more than a fifth off
};

/// Shares of a window's outcomes, or of ten classes of an additive report that are equally likely under the declared law. What it looks at are
/// reports: private already. A law of another shape and the right width is let pass: the fit follows the clip's response, not the law.
/// Nothing: two outcomes, whose shares tell the mean and not the spread; fewer than 50 reports.
[[nodiscard]] std::optional<LawCheck> check_law(const RegressionTerms& terms, const LabelPlan& plan,
                                                const ScalarLaw& law, const std::vector<double>& labels);

}  // namespace sotto::analyzer

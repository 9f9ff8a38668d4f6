// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>
#include <string>

#include "label_plan.hpp"
#include "label_rows.hpp"

namespace sotto::analyzer {

/// Below this the declared law does not fit.
inline constexpr double k_fit_level = 0.01;

/// Do the labels look like a normal target of the declared deviation, clipped and randomized? Pearson's chi-square of the shares of a
/// window's outcomes, or of ten equally likely classes of an additive report. What it checks are reports: private already.
/// Nothing: two outcomes, whose shares tell the mean and not the spread; fewer than 50 reports.
[[nodiscard]] std::optional<double> law_p_value(const RegressionTerms& terms, const LabelPlan& plan,
                                                const ScalarLaw& law, const std::vector<double>& labels);

}  // namespace sotto::analyzer

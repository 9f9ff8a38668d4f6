// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sotto/analyzer/audit/event.hpp"

// Scores of outcomes that tell two data sets apart.
namespace sotto::analyzer::audit {

struct Statistic {
  std::string name;
  std::function<double(const Outcome&)> score;
};

/// Learned from these runs, in the order of preference.
[[nodiscard]] std::vector<Statistic> report_statistics(const Runs& learned, bool numbers);
[[nodiscard]] std::vector<Statistic> time_statistics(const Runs& learned);

/// An upper bound of the variance of the numbers around their means, over both data sets, that errs with probability
/// alpha: of answers that do not vary themselves it is the noise's.
[[nodiscard]] double largest_variance(const Runs& runs, double alpha);

}  // namespace sotto::analyzer::audit

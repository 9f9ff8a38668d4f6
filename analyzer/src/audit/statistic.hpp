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

}  // namespace sotto::analyzer::audit

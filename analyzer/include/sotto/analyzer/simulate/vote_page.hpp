// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The HTML page of a simulated vote.

#include <string>
#include <vector>

#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/simulate/vote_fleet.hpp"
#include "sotto/analyzer/simulate/vote_metrics.hpp"

namespace sotto::analyzer::html {

/// The content of the page: charts of the first run, and statistics over all repeats.
struct VotePage {
  VoteFleet fleet;
  VoteRun run;
  std::vector<VoteMetrics> repeats;  ///< at least one
  Verdict verdict = Verdict::cannot_learn;
  std::string command;  ///< the command that reproduces this page
  std::string version;
};

/// The features with the largest estimates in falling order, a few more than truly carry votes and at most 24; "none"
/// is last.
[[nodiscard]] std::vector<IntervalRow> vote_rows(const VoteRun& run);

[[nodiscard]] std::string vote_page(const VotePage& page);

}  // namespace sotto::analyzer::html

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

#include "sotto/analyzer/html/interval_chart.hpp"
#include "sotto/analyzer/simulate/vote_fleet.hpp"
#include "sotto/analyzer/simulate/vote_metrics.hpp"

namespace sotto::analyzer::html {

/// What a page about a simulated vote shows: the first run in pictures, all repeats in numbers.
struct VotePage {
  VoteFleet fleet;
  VoteRun run;
  std::vector<VoteMetrics> repeats;  ///< at least one
  Verdict verdict = Verdict::cannot_learn;
  std::string command;  ///< that makes the same page again
  std::string version;
};

/// The strongest features, a few more than carry votes and at most 24, largest estimate first; "none" last.
[[nodiscard]] std::vector<IntervalRow> vote_rows(const VoteRun& run);

[[nodiscard]] std::string vote_page(const VotePage& page);

}  // namespace sotto::analyzer::html

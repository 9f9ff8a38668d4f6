// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Confidence bounds of the audit: Clopper-Pearson bounds of probabilities, and the lower bound of epsilon that follows
/// from two event counts.

#include <cstdint>

namespace sotto::analyzer::audit {

/// Clopper-Pearson confidence bounds of a probability of which `hits` events were seen in `runs`; each is wrong with
/// probability at most alpha.
/// Estimate  quantiles of the beta distribution, exact for every n; the lower bound is 0 for no hits, the upper bound 1
///           if all runs are hits.
[[nodiscard]] double clopper_pearson_lower(std::uint64_t hits, std::uint64_t runs, double alpha);
[[nodiscard]] double clopper_pearson_upper(std::uint64_t hits, std::uint64_t runs, double alpha);

/// How often an event was seen under two private inputs.
struct EventCounts {
  std::uint64_t first = 0;   ///< hits under the input that makes the event likely
  std::uint64_t second = 0;  ///< hits under the input that makes it rare
  std::uint64_t runs = 0;    ///< runs of each input
};

/// A lower confidence bound of the epsilon that a mechanism spends at this delta, from one event that was chosen before
/// the counts were seen.
/// Estimate  ln((L - delta)/H), with L the lower bound of the likely and H the upper bound of the rare probability, at
///           alpha/2 each; 0 where L <= delta or the logarithm is negative.
/// Error     the bound exceeds the true epsilon with probability at most alpha.
[[nodiscard]] double epsilon_lower_bound(const EventCounts& counts, double alpha, double delta);

}  // namespace sotto::analyzer::audit

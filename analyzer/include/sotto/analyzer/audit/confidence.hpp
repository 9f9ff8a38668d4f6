// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto::analyzer::audit {

/// Clopper-Pearson: a bound of a probability of which `hits` of `runs` were seen, wrong with probability at most alpha.
/// Estimate  quantiles of the beta law, exact for every n; 0 for no hits (lower), 1 for hits only (upper).
[[nodiscard]] double clopper_pearson_lower(std::uint64_t hits, std::uint64_t runs, double alpha);
[[nodiscard]] double clopper_pearson_upper(std::uint64_t hits, std::uint64_t runs, double alpha);

/// How often an event was seen for two private inputs.
struct EventCounts {
  std::uint64_t first = 0;   ///< input under which the event is likely
  std::uint64_t second = 0;  ///< input under which it is rare
  std::uint64_t runs = 0;    ///< of each input
};

/// A lower bound of the epsilon that a mechanism spends at this delta, from one event chosen before the counts were seen.
/// Estimate  ln((L - delta)/H), L and H Clopper-Pearson bounds at alpha/2 each; 0 when L <= delta or the bound is negative.
/// Error     the bound exceeds the true epsilon with probability at most alpha.
[[nodiscard]] double epsilon_lower_bound(const EventCounts& counts, double alpha, double delta);

}  // namespace sotto::analyzer::audit

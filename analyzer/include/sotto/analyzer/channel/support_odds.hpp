// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/two_level.hpp"

namespace sotto::analyzer {

/// p and q of an oracle: an own category is supported with probability p, every other with q.
struct SupportOdds {
  double own = 0, other = 0;
  /// n * Var of the estimated share f of one category: q(1-q)/(p-q)^2 + f (1-p-q)/(p-q). f is cut to [0, 1].
  [[nodiscard]] double variance(double share) const noexcept;
};

/// Exact from the integers of a channel with one inside outcome: p = T/2^32, q = (1-p)/(M-1).
[[nodiscard]] SupportOdds response_odds(const TwoLevel& channel) noexcept;

}  // namespace sotto::analyzer

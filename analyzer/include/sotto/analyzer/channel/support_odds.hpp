// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The two probabilities of a frequency oracle, and the variance of an estimated share that follows from them.

#include "sotto/two_level.hpp"

namespace sotto::analyzer {

/// The probabilities of a frequency oracle: a report supports the device's own category with probability p (`own`) and
/// any other category with q (`other`).
struct SupportOdds {
  double own = 0, other = 0;
  /// n times the variance of the estimated share f of one category: q(1-q)/(p-q)^2 + f (1-p-q)/(p-q), with f clipped to
  /// [0, 1].
  [[nodiscard]] double variance(double share) const noexcept;
};

/// The probabilities of a channel with one outcome inside, exact: p = T/2^32, q = (1-p)/(M-1).
[[nodiscard]] SupportOdds response_odds(const TwoLevel& channel) noexcept;

}  // namespace sotto::analyzer

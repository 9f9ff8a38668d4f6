// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/support_odds.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {

double SupportOdds::variance(double share) const noexcept {
  const double gap = own - other;
  return other * (1 - other) / (gap * gap) + std::clamp(share, 0.0, 1.0) * (1 - own - other) / gap;
}

SupportOdds response_odds(const TwoLevel& channel) noexcept {
  const double own = std::ldexp(channel.threshold, -32);
  return {own, (1 - own) / (channel.outcomes - 1)};
}

}  // namespace sotto::analyzer

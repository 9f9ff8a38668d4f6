// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/channel/support_odds.hpp"

#include <bit>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

double vote_variance(const VoteSpec& spec) {
  const TwoLevel c = channel(spec);
  SupportOdds odds = response_odds(c);
  if (spec.bits != 0) odds.other = 1.0 / c.outcomes;  // another category is supported when it collides under the hash
  return odds.variance(0);
}

Result<VoteProposal> propose_vote(EpsilonNano epsilon, std::uint32_t features) {
  VoteSpec spec;
  spec.epsilon = epsilon;
  spec.features = features;
  if (const Status s = derive(spec); s != Status::ok) {
    return spec_error(s, VoteSpec::k_stem,
                      std::to_string(epsilon) + " nano-nats, " + std::to_string(features) + " features");
  }
  const double variance = vote_variance(spec);
  if (!std::isfinite(variance)) {
    return Error{"spec.no_information",
                 "a vote at this epsilon does not depend on the answer: 32-bit odds are too coarse",
                 fmt::format("{} nano-nats, {} features", epsilon, features), "take a larger epsilon"};
  }
  return VoteProposal{spec, variance, static_cast<std::uint32_t>(std::bit_width(channel(spec).outcomes - 1))};
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Chooses the oracle of a vote, and says how exact its shares will be.

#include "sotto/analyzer/result.hpp"
#include "sotto/spec/vote.hpp"

namespace sotto::analyzer {

struct VoteProposal {
  VoteSpec spec;
  double variance = 0;             ///< n * Var of the estimated share of a feature that nobody voted for
  std::uint32_t payload_bits = 0;  ///< of a report
};

/// n * Var of the share of an absent category under a vote spec that check_spec() accepts: q(1-q)/(p-q)^2.
[[nodiscard]] double vote_variance(const VoteSpec& spec);

/// The oracle for a vote among `features` features, chosen by derive() in the integers that devices use.
/// Estimate  exact from the chosen threshold.
/// Refuses   spec.bad_epsilon, spec.bad_dimension.
Result<VoteProposal> propose_vote(EpsilonNano epsilon, std::uint32_t features);

}  // namespace sotto::analyzer

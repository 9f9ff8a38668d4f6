// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chooses the frequency oracle of a vote among features (GRR or Walsh hashing) for a given epsilon, and states its
/// variance.

#include "sotto/analyzer/result.hpp"
#include "sotto/spec/vote.hpp"

namespace sotto::analyzer {

/// The proposed spec and its variance.
struct VoteProposal {
  VoteSpec spec;
  double variance = 0;             ///< n times the variance of the estimated share of a feature without votes
  std::uint32_t payload_bits = 0;  ///< size of a report's payload
};

/// n times the variance of the estimated share of a category that no device holds: q(1-q)/(p-q)^2, with p and q the
/// probabilities that a report supports its own and another category. The spec must be one that check_spec() accepts.
[[nodiscard]] double vote_variance(const VoteSpec& spec);

/// The oracle for a vote among `features` features, chosen by derive() in the same integer arithmetic as on devices.
/// Estimate  exact from the chosen integer threshold.
/// Refuses   spec.bad_epsilon, spec.bad_dimension; spec.no_information: odds that are the same for every answer.
Result<VoteProposal> propose_vote(EpsilonNano epsilon, std::uint32_t features);

}  // namespace sotto::analyzer

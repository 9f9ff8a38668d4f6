// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chooses the parameters of the block randomizer (signs of k coordinates at once) for a given epsilon.

#include "sotto/analyzer/result.hpp"
#include "sotto/spec/block.hpp"

namespace sotto::analyzer {

/// The proposed spec and its agreement.
struct BlockProposal {
  BlockSpec spec;
  double agreement = 0;  ///< m: mean of (reported sign) * (true sign)
};

/// The block of k signs with t flips, k <= width_max, that is most informative about p coordinates: the variance of a
/// coordinate's mean from n reports is p / (n k m^2), so k m^2 is maximised; the smaller block on a tie.
/// Estimate  exact: every pair is tried with the integer threshold that a device would accept.
/// Refuses   spec.bad_epsilon; spec.bad_channel: width_max outside 1 .. 24.
Result<BlockProposal> propose_block(EpsilonNano epsilon, std::uint32_t width_max = k_block_width_max);

}  // namespace sotto::analyzer

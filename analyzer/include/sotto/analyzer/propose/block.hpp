// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Chooses the parameters of a block of signs for an epsilon.

#include "sotto/analyzer/result.hpp"
#include "sotto/spec/block.hpp"

namespace sotto::analyzer {

struct BlockProposal {
  BlockSpec spec;
  double agreement = 0;  ///< m: mean of reported sign times true sign
};

/// The block (k, t), k <= width_max, that says most about p coordinates: the variance of a coordinate's mean is p / (n k m^2),
/// so k m^2 is maximised; the smaller block on a tie.
/// Estimate  exact: every pair is tried with the threshold that a device would accept.
/// Refuses   spec.bad_epsilon; spec.bad_channel: width_max outside 1 .. 24.
Result<BlockProposal> propose_block(EpsilonNano epsilon, std::uint32_t width_max = k_block_width_max);

}  // namespace sotto::analyzer

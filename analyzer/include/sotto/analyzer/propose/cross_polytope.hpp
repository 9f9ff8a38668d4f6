// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Chooses the parameters of a cross-polytope channel for an epsilon and a dimension.

#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

struct CrossPolytopeProposal {
  CrossPolytopeSpec spec;
  DirectionError error;
};

/// The k for which a report of `dimension` coordinates, padded to D = 2^log2_size, has the least error.
/// Estimate  without padding the error is 1/m^2 - 1, and m rises, then falls with k: S_k is concave in k, its divisor linear.
///           Found by bisection; with padding that is the same as trying every k wherever it was compared (D = 64).
/// Refuses   spec.bad_epsilon; spec.bad_channel: log2_size outside 6 .. 12; spec.bad_dimension: not 2 .. D.
Result<CrossPolytopeProposal> propose_cross_polytope(EpsilonNano epsilon, std::uint32_t log2_size,
                                                     std::uint32_t dimension);

}  // namespace sotto::analyzer

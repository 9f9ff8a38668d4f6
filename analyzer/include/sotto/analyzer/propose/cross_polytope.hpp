// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chooses the parameter k of the cross-polytope randomizer (directions) for a given epsilon.

#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The proposed spec and its error.
struct CrossPolytopeProposal {
  CrossPolytopeSpec spec;
  DirectionError error;
};

/// The k, the number of vertices that count as near, for which a report of `dimension` coordinates, padded to D =
/// 2^log2_size, has the least mean squared error.
/// Estimate  without padding the error is 1/m^2 - 1, with m the scale of the estimate (aggregate/cross_polytope.hpp). m
///           first rises and then falls with k, since S_k is concave in k and its divisor linear; the maximum is found
///           by bisection. With padding this agreed with trying every k wherever it was compared (D = 64).
/// Refuses   spec.bad_epsilon; spec.bad_channel: log2_size outside 6 .. 12; spec.bad_dimension: not 2 .. D.
Result<CrossPolytopeProposal> propose_cross_polytope(EpsilonNano epsilon, std::uint32_t log2_size,
                                                     std::uint32_t dimension);

}  // namespace sotto::analyzer

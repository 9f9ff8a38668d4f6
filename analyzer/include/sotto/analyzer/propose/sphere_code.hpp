// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Chooses the parameters of a sphere-code channel for an epsilon and a dimension.

#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

struct SphereCodeProposal {
  SphereCodeSpec spec;
  DirectionError error;
};

/// The k for which a report over `codewords` codewords has the least error.
/// Estimate  codewords are unit vectors, so the error is 1/m^2 - 1, and m rises, then falls with k: found by bisection.
/// Refuses   spec.bad_epsilon; spec.bad_dimension: not 2 .. 64; spec.bad_channel: codewords not 2 .. 4096.
Result<SphereCodeProposal> propose_sphere_code(EpsilonNano epsilon, std::uint32_t dimension, std::uint32_t codewords);

}  // namespace sotto::analyzer

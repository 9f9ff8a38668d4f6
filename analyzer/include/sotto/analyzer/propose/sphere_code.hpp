// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chooses the parameter k of the sphere-code randomizer (directions) for a given epsilon.

#include "sotto/analyzer/math/direction_error.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// The proposed spec and its error.
struct SphereCodeProposal {
  SphereCodeSpec spec;
  DirectionError error;
};

/// The k, the number of codewords that count as near, for which a report over `codewords` codewords has the least mean
/// squared error.
/// Estimate  codewords are unit vectors, so the error is 1/m^2 - 1, with m the scale of the estimate
///           (aggregate/sphere_code.hpp). m first rises and then falls with k; the maximum is found by bisection.
/// Refuses   spec.bad_epsilon; spec.bad_dimension: not 2 .. 64; spec.bad_channel: codewords not 2 .. 4096.
Result<SphereCodeProposal> propose_sphere_code(EpsilonNano epsilon, std::uint32_t dimension, std::uint32_t codewords);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/spec/gaussian.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

/// Delta of rho-zCDP at epsilon nats, by the conversion of Canonne, Kamath and Steinke: the least over alpha > 1 of
/// exp((alpha - 1)(alpha rho - epsilon)) / (alpha - 1) * (1 - 1/alpha)^alpha.
[[nodiscard]] double zcdp_delta(double rho, double epsilon);

/// Epsilon that a vector spec delivers at its delta, from its integers alone: rho = (2G)^2 / (2 s2), n 2^-64 of the delta for the cut tails
/// of the sampler, rounded up to nano-nats. In one dimension the declared epsilon, at which the law itself was summed.
[[nodiscard]] EpsilonNano delivered_epsilon(const GaussianSpec& spec);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/spec/gaussian.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

/// Delta of rho-zCDP at epsilon nats, by the conversion of Canonne, Kamath and Steinke: the least over alpha > 1 of
/// exp((alpha - 1)(alpha rho - epsilon)) / (alpha - 1) * (1 - 1/alpha)^alpha.
[[nodiscard]] double zcdp_delta(double rho, double epsilon);

/// Epsilon that a vector spec delivers at its delta, from its integers alone: rho = (2G)^2 / (2 s2), n 2^-64 of the
/// delta for the cut tails of the sampler, rounded up to nano-nats. In one dimension the declared epsilon, at which the
/// law itself was summed.
[[nodiscard]] EpsilonNano delivered_epsilon(const GaussianSpec& spec);

/// The chance that the report at hand is more than e^epsilon times as likely with the true answer as with the other
/// one, for the two answers that are farthest apart, at the declared epsilon. It is no delta: delta bounds sets of
/// reports, and this chance is several times as large.
/// Error  In one dimension P(z > epsilon s2/2G - G) of the discrete law itself, double rounding below 10^-11 relative.
///        For a vector an upper bound over all directions, exp(-(epsilon - rho)^2 / 4 rho) with rho = (2G)^2 / (2 s2);
///        1 where rho reaches epsilon.
[[nodiscard]] double chance_above_epsilon(const GaussianSpec& spec);

}  // namespace sotto::analyzer

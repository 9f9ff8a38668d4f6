// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The epsilon that a discrete Gaussian spec delivers at its delta, computed from its integers, and the probability
/// that the privacy loss of one report exceeds it. Privacy statements use both.

#include "sotto/spec/gaussian.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer {

/// The delta of rho-zCDP at epsilon nats, by the conversion of Canonne, Kamath and Steinke: the minimum over alpha > 1
/// of exp((alpha - 1)(alpha rho - epsilon)) / (alpha - 1) * (1 - 1/alpha)^alpha.
[[nodiscard]] double zcdp_delta(double rho, double epsilon);

/// The epsilon that a vector spec delivers at its delta, from its integers alone, rounded up to nano-nats. rho = (2G)^2
/// / (2 s2), with [-G, G] or a ball of radius G the range and s2 the noise parameter; n 2^-64 of the delta is reserved
/// for the truncated tails of the sampler in n dimensions. In one dimension it is the declared epsilon, at which the
/// distribution itself was summed.
[[nodiscard]] EpsilonNano delivered_epsilon(const GaussianSpec& spec);

/// The probability that a report is more than e^epsilon times as likely under the true answer as under another one, for
/// the two answers that are farthest apart, at the declared epsilon. It is not delta: delta bounds the excess over sets
/// of reports, and this probability is several times as large.
/// Error  In one dimension P(z > epsilon s2/2G - G) of the discrete distribution itself, double rounding below 10^-11
///        relative. For a vector an upper bound over all directions, exp(-(epsilon - rho)^2 / 4 rho) with rho = (2G)^2
///        / (2 s2); 1 where rho reaches epsilon.
[[nodiscard]] double chance_above_epsilon(const GaussianSpec& spec);

}  // namespace sotto::analyzer

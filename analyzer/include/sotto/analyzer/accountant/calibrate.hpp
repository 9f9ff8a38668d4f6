// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Converts between accumulated privacy costs and (epsilon, delta): the epsilon that a Renyi curve guarantees, and the
/// smallest Gaussian noise that stays within a given budget. `sotto fit` calibrates its noise with these functions and
/// states the delivered epsilon by them.

#include <functional>

#include "sotto/analyzer/accountant/renyi.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// An epsilon, and the Renyi order at which the conversion attained it.
struct EpsilonAtOrder {
  double epsilon = 0;
  double order = 0;
};

/// The smallest epsilon that a Renyi curve guarantees at this delta.
/// Estimate  Canonne, Kamath, Steinke 2020: the minimum over orders a of
///           r(a) + ln(1 - 1/a) - (ln delta + ln a)/(a - 1), with r(a) the curve's divergence at order a; at least 0.
[[nodiscard]] EpsilonAtOrder epsilon_of(const RenyiCurve& curve, double delta);

/// The smallest noise multiplier z (standard deviation of the noise over the sensitivity) whose cost stays within
/// (epsilon, delta), found by bisection. `cost` maps z to a Renyi curve and must fall as z grows.
/// Refuses   accountant.bad_epsilon, accountant.bad_delta; accountant.out_of_reach: not even z = 100,000 is enough.
[[nodiscard]] Result<double> noise_multiplier(const std::function<RenyiCurve(double z)>& cost, double epsilon,
                                              double delta);

/// The largest rho for which rho-zCDP implies (epsilon, delta)-differential privacy.
/// Refuses   as noise_multiplier.
[[nodiscard]] Result<double> zcdp_budget(double epsilon, double delta);

// Exact accounting of one release of a vector with Gaussian noise (Balle, Wang 2018). Releases with multipliers z_1,
// z_2, ... one after the other cost together what one release with z = (z_1^-2 + z_2^-2 + ...)^-1/2 costs.

/// The smallest delta of the Gaussian mechanism at this epsilon:
/// Phi(1/(2z) - epsilon z) - e^epsilon Phi(-1/(2z) - epsilon z), with Phi the normal distribution function.
[[nodiscard]] double gaussian_delta(double z, double epsilon);
/// The smallest epsilon of the Gaussian mechanism with multiplier z at this delta.
[[nodiscard]] double gaussian_epsilon(double z, double delta);
/// The smallest noise multiplier of one Gaussian release within (epsilon, delta).
/// Refuses   as noise_multiplier.
[[nodiscard]] Result<double> gaussian_multiplier(double epsilon, double delta);

/// Checks a budget before anything is computed from it.
/// Refuses   accountant.bad_epsilon: not a positive number, or above 100; accountant.bad_delta: not between 0 and 1.
[[nodiscard]] Result<Done> check_budget(double epsilon, double delta);

}  // namespace sotto::analyzer

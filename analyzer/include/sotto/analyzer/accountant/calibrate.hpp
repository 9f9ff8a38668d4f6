// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <functional>

#include "sotto/analyzer/accountant/renyi.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// An epsilon, and the Renyi order that gave it.
struct EpsilonAtOrder {
  double epsilon = 0;
  double order = 0;
};

/// The smallest epsilon that a curve promises at this delta.
/// Estimate  Canonne, Kamath, Steinke 2020: min over orders of r + ln(1 - 1/a) - (ln delta + ln a)/(a - 1), at least 0.
[[nodiscard]] EpsilonAtOrder epsilon_of(const RenyiCurve& curve, double delta);

/// The smallest noise multiplier whose cost stays within (epsilon, delta), by bisection; `cost` falls as z grows.
/// Refuses   accountant.bad_epsilon, accountant.bad_delta; accountant.out_of_reach: not even z = 100,000 is enough.
[[nodiscard]] Result<double> noise_multiplier(const std::function<RenyiCurve(double z)>& cost, double epsilon,
                                              double delta);

/// The largest rho such that rho-zCDP keeps (epsilon, delta).
/// Refuses   as noise_multiplier.
[[nodiscard]] Result<double> zcdp_budget(double epsilon, double delta);

// One release of a vector with Gaussian noise, exactly (Balle, Wang 2018). Releases of z_1, z_2, ... one after the other cost together
// what one with z = (z_1^-2 + z_2^-2 + ...)^-1/2 costs.

/// Phi(1/(2z) - epsilon z) - e^epsilon Phi(-1/(2z) - epsilon z).
[[nodiscard]] double gaussian_delta(double z, double epsilon);
/// The epsilon of a noise multiplier at this delta.
[[nodiscard]] double gaussian_epsilon(double z, double delta);
/// Refuses   as noise_multiplier.
[[nodiscard]] Result<double> gaussian_multiplier(double epsilon, double delta);

/// Refuses   accountant.bad_epsilon: not a positive number; accountant.bad_delta: not between 0 and 1.
[[nodiscard]] Result<Done> check_budget(double epsilon, double delta);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace sotto::analyzer {

// Renyi divergences of the mechanisms that `sotto fit` is made of. `z` is the noise multiplier: standard deviation of the noise over
// the sensitivity. Which neighbours the sensitivity is for, the caller says; two of the bounds hold for one kind only.

/// Gaussian noise on everybody's sum: order / (2 z^2).
[[nodiscard]] double gaussian_renyi(double z, double order);

/// Gaussian noise on the sum of rows that each joined with probability q; neighbours differ by one row more or less.
/// Estimate  Mironov, Talwar, Zhang 2019: the finite sum at whole orders, which also holds for the discrete Gaussian on whole numbers;
///           the two series at fractional ones, which are for the continuous Gaussian. q = 1 is gaussian_renyi.
[[nodiscard]] double poisson_renyi(double q, double z, double order);

/// Gaussian noise on the sum of a fixed share of the rows, drawn without replacement; neighbours differ in one row's content.
/// Estimate  Wang, Balle, Kasiviswanathan 2019, Theorem 9, and never more than without sampling. Whole orders only.
[[nodiscard]] double without_replacement_renyi(double share, double z, double order);

/// The orders at which curves are kept: 2 to 128, 160, 192, 256, 384, 512.
[[nodiscard]] std::span<const double> renyi_orders() noexcept;

/// What some mechanisms cost, at each of renyi_orders(). Costs of one mechanism after the other add up, also when the
/// later is chosen after seeing what the earlier gave.
struct RenyiCurve {
  std::vector<double> at = std::vector<double>(renyi_orders().size(), 0.0);

  RenyiCurve& operator+=(const RenyiCurve& other);
  friend RenyiCurve operator+(RenyiCurve a, const RenyiCurve& b) { return a += b; }
  friend RenyiCurve operator*(double times, RenyiCurve curve);
};

[[nodiscard]] RenyiCurve gaussian_curve(double z);
[[nodiscard]] RenyiCurve poisson_curve(double q, double z);
[[nodiscard]] RenyiCurve without_replacement_curve(double share, double z);
/// rho-zCDP: rho times the order.
[[nodiscard]] RenyiCurve zcdp_curve(double rho);
/// Pure epsilon: min(epsilon, order epsilon^2 / 2).
[[nodiscard]] RenyiCurve pure_curve(double epsilon);
/// The exponential mechanism with privacy loss within an interval of length epsilon: epsilon^2/8-zCDP (Cesar, Rogers 2021).
[[nodiscard]] RenyiCurve bounded_range_curve(double epsilon);
/// A number of repetitions that does not depend on the data and goes on after each with probability go_on: the exact mixture,
/// ln((1 - go_on) / (1 - go_on e^((a-1) r))) / (a-1), infinite where the denominator is not positive. No event is left out.
[[nodiscard]] RenyiCurve geometric_curve(const RenyiCurve& repeated, double go_on);

}  // namespace sotto::analyzer

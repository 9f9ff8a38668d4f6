// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Renyi divergences of the mechanisms that `sotto fit` composes: the Gaussian mechanism with and without subsampling,
/// the exponential mechanism, and zCDP. Central methods add these curves up; calibrate.hpp converts the total to
/// (epsilon, delta).

#include <cstddef>
#include <span>
#include <vector>

namespace sotto::analyzer {

// Throughout, z is the noise multiplier: the standard deviation of the noise over the sensitivity. The caller chooses
// the adjacency that the sensitivity refers to; each of the two subsampling bounds holds only for the adjacency that it
// names.

/// The Gaussian mechanism on a sum over all rows: order / (2 z^2).
[[nodiscard]] double gaussian_renyi(double z, double order);

/// The Gaussian mechanism on a Poisson sample: every row joins independently with probability q. Adjacency: one row is
/// added or removed.
/// Estimate  Mironov, Talwar, Zhang 2019. At integer orders the finite sum, which also holds for the discrete Gaussian
///           on integers; at fractional orders the two series, which hold for the continuous Gaussian only. q = 1 gives
///           gaussian_renyi().
[[nodiscard]] double poisson_renyi(double q, double z, double order);

/// The Gaussian mechanism on a fixed share of the rows, drawn without replacement. Adjacency: one row is replaced.
/// Estimate  Wang, Balle, Kasiviswanathan 2019, Theorem 9, and never more than the cost without sampling. Integer
///           orders only.
[[nodiscard]] double without_replacement_renyi(double share, double z, double order);

/// The orders at which curves are evaluated: 2 to 128, 160, 192, 256, 384, 512.
[[nodiscard]] std::span<const double> renyi_orders() noexcept;

/// The Renyi divergence of a composition of mechanisms, at each of renyi_orders(). Curves add under composition, also
/// when a later mechanism is chosen after seeing the output of an earlier one.
struct RenyiCurve {
  std::vector<double> at = std::vector<double>(renyi_orders().size(), 0.0);

  RenyiCurve& operator+=(const RenyiCurve& other);
  friend RenyiCurve operator+(RenyiCurve a, const RenyiCurve& b) { return a += b; }
  friend RenyiCurve operator*(double times, RenyiCurve curve);
};

/// The functions above, evaluated at all of renyi_orders().
[[nodiscard]] RenyiCurve gaussian_curve(double z);
[[nodiscard]] RenyiCurve poisson_curve(double q, double z);
[[nodiscard]] RenyiCurve without_replacement_curve(double share, double z);
/// rho-zCDP: the divergence at order a is rho a.
[[nodiscard]] RenyiCurve zcdp_curve(double rho);
/// The exponential mechanism whose privacy loss lies within an interval of length epsilon: it satisfies
/// (epsilon^2/8)-zCDP (Cesar, Rogers 2021).
[[nodiscard]] RenyiCurve bounded_range_curve(double epsilon);
/// A random number of repetitions of one mechanism: after each repetition another one follows with probability `go_on`,
/// independently of the data. The exact mixture at order a, with r the divergence of one repetition, is
/// ln((1 - go_on) / (1 - go_on e^((a-1) r))) / (a-1), and infinite where the denominator is not positive. No event is
/// charged to delta.
[[nodiscard]] RenyiCurve geometric_curve(const RenyiCurve& repeated, double go_on);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The regression problem that the methods of `sotto fit` solve: rows, targets, loss, adjacency, and the public bounds
/// that clipping, noise and step sizes follow from.

#include <cstdint>
#include <string_view>
#include <vector>

#include "sotto/analyzer/central/rows.hpp"

namespace sotto::analyzer::central {

/// The loss of a row with margin m = <x, w> and target y.
/// logistic: ln(1 + e^m) - y m, y being 0 or 1. squared: (m - y)^2 / 2. huber: the same up to a residual of the
/// target's scale, linear beyond.
enum class Loss : std::uint8_t { logistic, squared, huber };
[[nodiscard]] std::string_view loss_name(Loss loss);

/// Adjacency: which data sets are neighbours. add_remove: one row more or less. replace_one: the content of one row
/// differs.
enum class Adjacency : std::uint8_t { add_remove, replace_one };
/// The sensitivity of a sum of contributions clipped to length 1: 1 under add_remove, 2 under replace_one.
[[nodiscard]] constexpr double reach(Adjacency adjacency) { return adjacency == Adjacency::add_remove ? 1 : 2; }

/// Bounds that are known without looking at the rows; noise and step sizes follow from them. Rows beyond the bounds are
/// clipped, so that privacy does not depend on the bounds being right.
struct PublicBounds {
  double row = 1;             ///< Euclidean norm of a typical row
  double value = 1;           ///< size of a large but typical value, where values are clipped one by one
  double target = 1;          ///< standard deviation of the target (not used by the logistic loss)
  bool is_one_scale = false;  ///< features share one scale, so a few may hold all the variance; long steps are avoided
  bool is_independent = false;  ///< features are declared independent, so a few long steps suffice
};

/// The range that a bound, a step size or a radius must lie in.
inline constexpr double k_bound_min = 1e-30, k_bound_max = 1e30;
[[nodiscard]] constexpr bool is_bound(double value) { return value >= k_bound_min && value <= k_bound_max; }

/// A regularised empirical risk: rows, targets and loss.
struct Problem {
  Rows x;
  std::vector<float> y;
  std::vector<double> norms;  ///< Euclidean norms of the rows
  Loss loss = Loss::logistic;
  double l2 = 0;  ///< l2/2 |w|^2 is added to the loss
  PublicBounds bounds;

  /// The typical size of a residual at w = 0.
  [[nodiscard]] double residual_scale() const { return loss == Loss::logistic ? 0.5 : bounds.target; }
  /// The largest second derivative of the loss in its margin.
  [[nodiscard]] double curvature() const { return loss == Loss::logistic ? 0.25 : 1; }
  /// The Lipschitz constant of the loss in its margin. The squared loss has none; methods that need one use huber in
  /// its place.
  [[nodiscard]] double largest_residual() const { return loss == Loss::logistic ? 1 : bounds.target; }
  /// The largest Euclidean norm of the gradient of a row that is no longer than the row bound.
  [[nodiscard]] double gradient_bound() const { return largest_residual() * bounds.row; }
  /// The Euclidean norm to which the gradient of a row is clipped.
  [[nodiscard]] double clip() const { return residual_scale() * bounds.row; }
};

/// The training rows of a problem, which must outlive the sample, and their public number, by which sums are divided.
struct Sample {
  const Problem& problem;
  std::vector<std::uint32_t> rows;
  double count = 0;
};

/// The derivative of the loss in its margin.
[[nodiscard]] double residual(const Problem& problem, double margin, double y);
[[nodiscard]] double loss_of(const Problem& problem, double margin, double y);

/// The sample's rows restricted to some columns, as a problem of its own. The row bound shrinks by the square root of
/// the share of columns kept.
[[nodiscard]] Problem restrict_to(const Sample& sample, const std::vector<std::uint32_t>& columns);
/// A sample of all rows of a problem.
[[nodiscard]] Sample all_rows(const Problem& problem);

/// How well coefficients predict some rows. Computed from rows without noise, and therefore not covered by any epsilon.
struct Fitness {
  double loss = 0;   ///< mean loss; (m - y)^2 for squared and huber
  double error = 0;  ///< logistic: share of misclassified rows
};
[[nodiscard]] Fitness measure(const Problem& problem, const std::vector<std::uint32_t>& rows, const Weights& w);

}  // namespace sotto::analyzer::central

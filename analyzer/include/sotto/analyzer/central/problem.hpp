// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "sotto/analyzer/central/rows.hpp"

namespace sotto::analyzer::central {

/// logistic: ln(1 + e^m) - y m with y 0 or 1; squared: (m - y)^2 / 2; huber: the same up to the target's scale, linear beyond.
enum class Loss : std::uint8_t { logistic, squared, huber };
[[nodiscard]] std::string_view loss_name(Loss loss);

/// Which data sets count as neighbours: one row more or less, or one row's content.
enum class Adjacency : std::uint8_t { add_remove, replace_one };
/// How much further a sum of clipped rows moves than one row is long.
[[nodiscard]] constexpr double reach(Adjacency adjacency) { return adjacency == Adjacency::add_remove ? 1 : 2; }

/// Numbers that are known without looking at the rows, and that noise and steps follow from. Nothing breaks when the rows are
/// larger: they are clipped.
struct PublicBounds {
  double row = 1;             ///< length of a usual row
  double value = 1;           ///< size of a usual value that is large, where values are clipped one by one
  double target = 1;          ///< standard deviation of the target (not for logistic)
  bool is_one_scale = false;  ///< features share one scale, so that a few of them may be all that varies: no long steps
  bool is_independent = false;  ///< features are declared independent, so that few long steps are enough
};

/// What a bound, a step size or a radius may be.
inline constexpr double k_least_bound = 1e-30, k_most_bound = 1e30;
[[nodiscard]] constexpr bool is_bound(double value) { return value >= k_least_bound && value <= k_most_bound; }

/// Rows, targets and what is asked of them.
struct Problem {
  Rows x;
  std::vector<float> y;
  std::vector<double> norms;  ///< of the rows
  Loss loss = Loss::logistic;
  double l2 = 0;  ///< l2/2 |w|^2 is added to the loss
  PublicBounds bounds;

  /// The size of a residual at w = 0.
  [[nodiscard]] double residual_scale() const { return loss == Loss::logistic ? 0.5 : bounds.target; }
  /// The largest curvature of the loss in its margin.
  [[nodiscard]] double curvature() const { return loss == Loss::logistic ? 0.25 : 1; }
  /// The largest residual: what makes the loss Lipschitz. The squared loss has none; where one is needed, huber is meant.
  [[nodiscard]] double largest_residual() const { return loss == Loss::logistic ? 1 : bounds.target; }
  [[nodiscard]] double clip() const { return residual_scale() * bounds.row; }
};

/// The rows that teach, of a problem that outlives it, and their public number, which sums are divided by.
struct Sample {
  const Problem& problem;
  std::vector<std::uint32_t> rows;
  double count = 0;
};

/// d loss / d margin.
[[nodiscard]] double residual(const Problem& problem, double margin, double y);
[[nodiscard]] double loss_of(const Problem& problem, double margin, double y);

/// Only these columns of the sample's rows, as a problem of its own; a usual row is shorter by the root of the share of columns.
[[nodiscard]] Problem restrict_to(const Sample& sample, const std::vector<std::uint32_t>& columns);
/// All rows of a problem.
[[nodiscard]] Sample all_rows(const Problem& problem);

/// How well coefficients predict some rows. Computed from rows without noise: no epsilon covers it.
struct Fitness {
  double loss = 0;   ///< mean; (m - y)^2 for squared and huber
  double error = 0;  ///< logistic: share on the wrong side
};
[[nodiscard]] Fitness measure(const Problem& problem, const std::vector<std::uint32_t>& rows, const Weights& w);

}  // namespace sotto::analyzer::central

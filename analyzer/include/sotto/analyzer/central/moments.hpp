// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/analyzer/central/coins.hpp"
#include "sotto/analyzer/central/meter.hpp"
#include "sotto/analyzer/central/problem.hpp"
#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::central {

/// Offsets and deviations of columns, measured with noise that a budget pays for.
struct PaidMoments {
  std::vector<Scale> scales;              ///< one for each column
  std::vector<GaussianRelease> releases;  ///< what was spent on them
  bool is_common_range = false;           ///< too few rows for a range of each column: all share one
};

/// What a share of a budget (0 < share < 1) pays for, of the precision that Gaussian noise on all rows has with it.
/// Refuses   as gaussian_multiplier.
[[nodiscard]] Result<double> moments_precision(double epsilon, double delta, double share);

/// Where the columns of a table lie and how far they spread, for what `precision` pays for (a Gaussian release of multiplier z costs
/// 1/z^2). `values`: row after row, `columns` >= 1 each, at least one row, finite.
/// Privacy   sums of integers with discrete Gaussian noise, each of which a row moves by no more than its grid's longest_row;
///           everything else follows from them and from public numbers. `releases` is to be charged to the meter of every fit that
///           uses the scales.
/// Estimate  the mean and the deviation of values within a range that holds nearly all of them. Where noise hides a column, its
///           deviation is the smallest that can be told from none, and columns without a range of their own are drawn toward their mean.
[[nodiscard]] PaidMoments pay_moments(std::span<const float> values, std::size_t columns, Transform transform,
                                      double precision, Adjacency adjacency, Coins& coins);

}  // namespace sotto::analyzer::central

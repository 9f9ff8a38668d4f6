// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Differentially private means and standard deviations of columns, with which `sotto fit` standardises rows when no
/// public scales are given.

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/analyzer/central/coins.hpp"
#include "sotto/analyzer/central/meter.hpp"
#include "sotto/analyzer/central/problem.hpp"
#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer::central {

/// Offsets and standard deviations of columns, measured with noise that the budget pays for.
struct PaidMoments {
  std::vector<Scale> scales;              ///< one for each column
  std::vector<GaussianRelease> releases;  ///< their cost
  bool is_common_range = false;           ///< too few rows to find a range of each column: all columns share one
};

/// The precision (sum of 1/z^2 over Gaussian releases) that a share of the budget (0 < share < 1) pays for.
/// Refuses   as gaussian_multiplier.
[[nodiscard]] Result<double> moments_precision(double epsilon, double delta, double share);

/// Measures location and spread of the columns of a table at a cost of `precision` (a Gaussian release with multiplier
/// z costs 1/z^2). `values` holds at least one row, row after row; a row has `columns` >= 1 numbers, each finite or NaN
/// for a missing value.
/// Privacy   integer sums with discrete Gaussian noise, whose sensitivity is at most longest_row of their grid;
///           everything else is computed from these and from public numbers. `releases` must be charged to the meter of
///           every fit that uses the scales.
/// Estimate  mean and standard deviation of the values within a range that holds nearly all of them. Where the noise
///           hides a column's variance, its deviation is set to the smallest detectable one; columns without a range of
///           their own are shrunk toward their common mean.
[[nodiscard]] PaidMoments pay_moments(std::span<const float> values, std::size_t columns, Transform transform,
                                      double precision, Adjacency adjacency, Coins& coins);

}  // namespace sotto::analyzer::central

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>

// What a ball leaves of products (r, x_1 r, .., x_k r) of a normal level r and k normal columns of deviation 1, which are
// clipped to it.
namespace sotto::analyzer {

struct ClippedProducts {
  double column = 1;  ///< what an effect of a column is multiplied with
  double level = 1;   ///< what the mean of r is multiplied with
  double pole = 0;    ///< mean of sqrt(1 - |g|^2 / R^2)
};

/// For a ball of `radius` standard deviations of r.
[[nodiscard]] ClippedProducts clip_products(double radius, std::size_t columns);

/// The radius, in standard deviations of r, at which the pole has this mean; from 0.05 to 20 roots of k + 1.
[[nodiscard]] double radius_of_pole(double pole, std::size_t columns);

/// What a ball of `radius` standard deviations leaves of the mean of k normal columns.
[[nodiscard]] double clip_columns(double radius, std::size_t columns);

}  // namespace sotto::analyzer

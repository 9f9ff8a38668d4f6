// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Least squares with a small ridge on the rows of one device, in fixed point.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/local/workspace.hpp"

namespace sotto {

inline constexpr std::uint32_t k_least_squares_columns_max = 32;
inline constexpr std::uint32_t k_ridge_q24_min = 8, k_ridge_q24_max = 1u << 22;

/// The study's parameters of local least squares, all public.
struct LeastSquaresSpec {
  std::uint32_t nominal_rows = 1;  ///< m in the formulas, 1..k_rows_max; a device that holds more uses its first m rows
  std::uint32_t ridge_q24 = 256;   ///< the ridge is this times nominal_rows: 2^-16 a row; 8 (2^-21) to 2^22 (1/4)
};

/// The work space for this many columns: 279 bytes for 8, 2631 for 32.
inline constexpr std::size_t k_least_squares_column_bytes = 16;
[[nodiscard]] constexpr std::size_t least_squares_work_bytes(std::size_t columns) noexcept {
  return k_workspace_slack + columns * k_least_squares_column_bytes +
         columns * (columns + 1) / 2 * sizeof(std::int32_t);
}

/// Computes b = argmin ||y - X b||^2 + ridge ||b||^2 over the view's columns, Q24, saturating at +-64. The normal
/// equations are solved in fixed point, and the solution is refined once with residuals from the samples (y - X b,
/// exact, then rounded to Q24).
///
/// With a public centre c (one number for each column), the same is computed for y - X c: the difference between this
/// device's coefficients and c, so that the ridge shrinks the coefficients toward c. centre_q24 is nullptr if there is
/// no centre.
///
/// Any data has an answer. Linearly dependent columns share their effect; without rows the answer is zeros; a residual
/// beyond 128 is clipped to 128. The smallest ridge keeps pivots above 2^-23 of a column's sum of squares; a pivot that
/// rounding makes smaller is raised to that value.
/// Accuracy  against doubles with the same ridge, for coefficients within +-60: 2^-10 while the condition number of X
///           (with the ridge, columns of equal length) is at most 1000, and for any data from ridge_q24 = 32 on; at the
///           smallest ridge, where it may reach 8200, 2^-6.
/// Cost     100 rows, 8 columns: 84 k instructions on Cortex-M4, 255 k on Cortex-M0, around a centre or not.
/// Takes    at most 32 columns, a spec in its ranges; `work` of least_squares_work_bytes(columns) or more; a
///          difference_q24 of the columns.
void least_squares(const LeastSquaresSpec& spec, const ColumnView& view, const std::int32_t* centre_q24,
                   const std::span<std::byte>& work, const std::span<std::int32_t>& difference_q24) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The Lasso (least squares with an l1 penalty) on the rows of one device, in fixed point.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/local/workspace.hpp"

namespace sotto {

inline constexpr std::uint32_t k_lasso_columns_max = 128;
/// Coefficients are Q24 and saturate at +-64.
inline constexpr std::int32_t k_beta_q24_max = 64 << 24;
inline constexpr std::uint32_t k_lasso_path = 20;

/// The study's parameters of a local Lasso, all public.
struct LassoSpec {
  std::uint32_t nominal_rows = 1;           ///< m in the formulas, 1..k_rows_max, however many rows the device holds
  std::uint32_t lambda_q24 = 0;             ///< see lambda_rule_q24()
  std::uint32_t path_tolerance_q24 = 1678;  ///< 1e-4: convergence threshold of a coefficient along the path
  std::uint32_t tolerance_q24 = 4;          ///< 2e-7: the same at lambda itself
  std::uint32_t visits = 8192;              ///< limit on coordinate visits, which bounds the worst case
};

/// The work space of lasso() and scad() for this many rows and columns.
inline constexpr std::size_t k_lasso_column_bytes = 20;
[[nodiscard]] constexpr std::size_t lasso_work_bytes(std::uint32_t rows, std::uint32_t columns) noexcept {
  return k_workspace_slack + rows * sizeof(std::int32_t) + columns * k_lasso_column_bytes;
}

/// The usual lambda for d features of standard deviation unit_q15, m nominal rows and noise of standard deviation
/// noise_q15 (in units of the target): multiplier * noise * unit * sqrt(2 ln d / m). Relative error below 2^-12 for
/// lambda above 2^-10.
[[nodiscard]] std::uint32_t lambda_rule_q24(std::uint32_t features, std::uint32_t nominal_rows, std::uint32_t unit_q15,
                                            std::uint32_t noise_q15, std::uint32_t multiplier_q15 = 32768) noexcept;

/// Minimises ||y - X b||^2 / 2m + lambda ||b||_1 over the view's columns by coordinate descent with warm starts: 20
/// values of lambda, from the smallest at which all coefficients are zero, each 0.886 times the one before (0.1 after
/// 19 steps), then lambda itself. Half of the visits are reserved for lambda itself. Of two equal columns the first is
/// selected.
///
/// beta_q24 gets the coefficients at lambda. Any data has an answer: no rows or a column of zeros gives zeros; when the
/// visits are used up the answer is the last iterate. Every target computes the same bits.
/// Cost     100 x 64 to a tenth of the largest lambda, tolerance 1e-4: 6.9 M instructions on Cortex-M4, 15.4 M on M0;
///          all of 8192 visits: 11.6 M, 25.2 M.
/// Takes    at most k_rows_max rows and k_lasso_columns_max columns, nominal_rows in its range, a beta_q24 of the columns
///          or more, `work` of lasso_work_bytes() or more.
void lasso(const LassoSpec& spec, const ColumnView& view, const std::span<std::byte>& work,
           const std::span<std::int32_t>& beta_q24) noexcept;

}  // namespace sotto

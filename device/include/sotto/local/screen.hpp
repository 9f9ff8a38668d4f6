// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Screening: finds the columns that are most correlated with the target, the first step of local variable selection.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/arm/column_sums.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/local/workspace.hpp"

namespace sotto {

/// The study's parameters of screening, all public.
struct ScreenSpec {
  std::uint32_t nominal_rows = 1;  ///< m in the formula, 1..k_rows_max, however many rows the device holds
  std::uint32_t unit_q15 = 8192;   ///< one standard deviation of a feature, 1..32768; 8192: features are clipped at 4
};

/// A column and the strength of its correlation with the target. `strength` is the square of its score as a small
/// floating-point number (16-bit mantissa, exponent above it); it serves for comparison only. Zero: uncorrelated.
struct ScreenedColumn {
  std::uint32_t strength;
  std::uint16_t column;
};

/// Rows that come from a hook are read in blocks of columns, eight rows at a time.
inline constexpr std::uint32_t k_screen_block = 64, k_screen_group = 8;

/// The work space of screen() for this many rows; `mapped`: the rows are in memory.
[[nodiscard]] constexpr std::size_t screen_work_bytes(std::uint32_t rows, bool mapped) noexcept {
  const std::size_t block = k_screen_block * (3 * sizeof(std::int64_t) + k_screen_group * sizeof(Q15));
  return k_workspace_slack + rows * sizeof(Q15) + (mapped ? 0 : block);
}

/// Finds the columns with the largest |s_j|, s_j = X_j'y / sqrt(||X_j||^2 + 0.1 m unit^2), strongest first, equal ones
/// by number. If `residual_q24` (one number for each row) is given, it replaces y, after rounding to 15 bits below its
/// largest entry.
///
/// Where the device centres its rows (samples.units), the means of X_j and y are subtracted; in own units both are also
/// divided by their standard deviations and clipped at four standard deviations, and the ridge is 0.1 m. A column that
/// is constant on the device has the score 0.
///
/// Sums are exact. Scores that differ by a factor of 1 + 2^-13 or more are ordered correctly. `best` may be shorter or
/// longer than the features; entries beyond them are {0, features}. The duration depends on the data, because it depends
/// on how often the list of the best changes.
/// Cost     100 x 1024, 64 kept: 1.10 M instructions on Cortex-M4 and M3, 3.8 M on M0; through a hook 2.0 M and 5.3 M.
///          In own units the scores take 1.2 times as many instructions on Cortex-M4, and 2.2 times if every column has
///          a reading that is clipped (100 x 64): gates hold both.
/// Takes    a spec in its ranges, at most k_rows_max rows and k_features_max features, a residual of as many rows, `work`
///          of screen_work_bytes() or more.
void screen(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
            const std::span<std::byte>& work, const std::span<ScreenedColumn>& best) noexcept;

/// product^2 / square as a 16-bit mantissa with the exponent above it, monotone in the value; square must be above 0
/// and below 2^63, otherwise the result is unspecified.
[[nodiscard]] std::uint32_t screen_strength(std::int64_t product, std::uint64_t square) noexcept;
/// 0.1 m unit^2 in Q30, at least 1.
[[nodiscard]] std::uint64_t screen_ridge(const ScreenSpec& spec) noexcept;

}  // namespace sotto

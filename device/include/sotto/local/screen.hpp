// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/local/workspace.hpp"

namespace sotto {

/// What the study says about screening; all public.
struct ScreenSpec {
  std::uint32_t nominal_rows = 1;  ///< m of the formula, 1..k_rows_max, whatever the device really holds
  std::uint32_t unit_q15 = 8192;   ///< one standard deviation of a feature, 1..32768; 8192: features are clipped at 4
};

/// A column and how strongly it goes along with the target. `strength` is the square of its score as a 16-bit mantissa below an
/// exponent: it only serves to compare. Zero: nothing in common.
struct ScreenedColumn {
  std::uint32_t strength;
  std::uint16_t column;
  std::uint16_t negative;  ///< 1: the score is below zero
};

/// Rows that come from a hook are read in blocks of columns, four rows at a time.
inline constexpr std::uint32_t k_screen_block = 128, k_screen_group = 4;

/// Bytes that screen() needs for this many rows, mapped into memory or not.
[[nodiscard]] constexpr std::size_t screen_work_bytes(std::uint32_t rows, bool mapped) noexcept {
  const std::size_t block = k_screen_block * (2 * sizeof(std::int64_t) + k_screen_group * sizeof(Q15));
  return k_workspace_slack + rows * sizeof(Q15) + (mapped ? 0 : block);
}

/// The columns with the largest |s_j|, s_j = X_j'y / sqrt(||X_j||^2 + 0.1 m unit^2), strongest first, equal ones by number. With
/// `residual_q24` (one for each row) it takes the place of y; it is rounded to 15 bits below its largest entry first.
///
/// Sums are exact. Scores that differ by a factor of 1 + 2^-13 or more are in their true order. `best` may be shorter or longer
/// than the features; entries beyond them are {0, features, 0}. Rows beyond what `work` or k_rows_max holds are left out.
/// Time depends on the data: how often the list of the best changes.
/// Cost     100 x 1024, 64 kept: 1.07 M instructions on Cortex-M4 and M3, 3.8 M on M0; through a hook 2.1 M and 5.9 M.
/// Takes    a spec in its ranges, at most k_features_max features, `work` of screen_work_bytes(0, mapped) or more; `strengths`: none
///          at all, or for every column one number of 24 bits, below zero where the score is.
void screen(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
            const std::span<std::byte>& work, const std::span<ScreenedColumn>& best,
            std::int32_t* strengths = nullptr) noexcept;

/// The sums of one column against the target or residual, and what a score is made of them.
struct ColumnSums {
  std::int64_t product;  ///< X_j'w, at most 2^40
  std::uint64_t square;  ///< ||X_j||^2 in Q30, at most 2^40
};
/// product^2 / (square + ridge) as a 16-bit mantissa below an exponent, never larger for a smaller value; 1 <= ridge <= 2^40.
[[nodiscard]] std::uint32_t screen_strength(const ColumnSums& sums, std::uint64_t ridge) noexcept;
/// 0.1 m unit^2 in Q30, at least 1.
[[nodiscard]] std::uint64_t screen_ridge(const ScreenSpec& spec) noexcept;

}  // namespace sotto

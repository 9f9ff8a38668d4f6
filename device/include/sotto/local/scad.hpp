// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// SCAD on the rows of one device: a penalised regression that selects as the Lasso does but does not shrink strong
/// coefficients.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/lasso.hpp"

namespace sotto {

inline constexpr std::uint32_t k_scad_rounds = 3;

/// The parameters of the Lasso, and one standard deviation of a feature in Q15. The latter scales the knots of the
/// penalty, which are at lambda/unit^2 and 3.7 lambda/unit^2, to the coefficients.
struct ScadSpec {
  LassoSpec lasso;
  std::uint32_t unit_q15 = 8192;  ///< 1..32768; 8192: features are clipped at 4 standard deviations
};

/// SCAD with a = 3.7 by local linear approximation: the Lasso, then three weighted Lassos, each started at the previous
/// answer. The weight of a coefficient decreases from 1 (below lambda) to 0 (above 3.7 lambda), so that strong
/// coefficients are no longer shrunk. Half of spec.lasso.visits is for the first Lasso. Work space, answer, special
/// cases and refusals are those of lasso(); bad_dimension also if unit_q15 is outside its range.
[[nodiscard]] Status scad(const ScadSpec& spec, const ColumnView& view, const std::span<std::byte>& work,
                          const std::span<std::int32_t>& beta_q24) noexcept;

/// The slope of the penalty divided by lambda, Q15, at most 32768; |b| and the knot lambda/unit^2 are Q24.
[[nodiscard]] std::uint32_t scad_weight_q15(std::uint32_t size_q24, std::uint32_t corner_q24) noexcept;

}  // namespace sotto

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

/// The parameters of the Lasso, and one standard deviation of a feature in Q15, which determines the knots of the
/// penalty: they are at the coefficients lambda/unit^2 and 3.7 lambda/unit^2.
struct ScadSpec {
  LassoSpec lasso;
  std::uint32_t unit_q15 = 8192;  ///< 1..32768; 8192: features are clipped at 4 standard deviations
};

/// SCAD with a = 3.7 by local linear approximation: the Lasso, then `rounds` rounds of a weighted Lasso, each started
/// from the previous solution (usually k_scad_rounds; with 0 rounds the answer is that of the Lasso). The weight of a
/// coefficient decreases from 1 below the first knot to 0 above the second, so that strong coefficients are not shrunk.
/// The Lasso takes half of spec.lasso.visits, or all of them if no round follows. Work space, answer, special cases and
/// preconditions are those of lasso(), and unit_q15 must be in its range.
void scad(const ScadSpec& spec, std::uint32_t rounds, const ColumnView& view, const std::span<std::byte>& work,
          const std::span<std::int32_t>& beta_q24) noexcept;

/// The slope of the penalty divided by lambda, Q15, at most 32768: `size_q24` is |b|, and `corner_q24` the first knot,
/// lambda/unit^2.
[[nodiscard]] std::uint32_t scad_weight_q15(std::uint32_t size_q24, std::uint32_t corner_q24) noexcept;

}  // namespace sotto

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

/// SCAD with a = 3.7 by local linear approximation: the Lasso, then so many rounds of a weighted Lasso (k_scad_rounds;
/// with none the answer is the Lasso's), each from the answer before, whose
/// weight for a coefficient falls from 1 (below lambda) to 0 (above 3.7 lambda): the strong ones are no longer shrunk.
/// Half of spec.lasso.visits goes to the Lasso, all of them where no round follows. Work space, answer, defined cases
/// and what it takes: those of lasso(); unit_q15 in its range.
void scad(const ScadSpec& spec, std::uint32_t rounds, const ColumnView& view, const std::span<std::byte>& work,
          const std::span<std::int32_t>& beta_q24) noexcept;

/// The slope of the penalty divided by lambda, Q15, at most 32768; |b| and the knot lambda/unit^2 are Q24.
[[nodiscard]] std::uint32_t scad_weight_q15(std::uint32_t size_q24, std::uint32_t corner_q24) noexcept;

}  // namespace sotto

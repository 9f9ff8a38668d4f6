// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/aggregate/estimates.hpp"
#include "sotto/analyzer/protocol/frame/measured.hpp"

// Where devices' levels of the target lie, from private counts of the cells that they fall into.
namespace sotto::analyzer {

/// The cells divide [-k_level_range, k_level_range], in stated standard deviations of the target; what lies beyond is in
/// the first or the last one.
inline constexpr double k_level_range = 2;
inline constexpr std::uint32_t k_level_cells = 16;

struct LevelLaw {
  Measured mean;        ///< of the levels
  Measured log_spread;  ///< the logarithm of their standard deviation
};

/// Posterior of a normal law, its mean N(0, 1) and the logarithm of its spread around a half before any count.
[[nodiscard]] LevelLaw fit_levels(const CategoryCounts& counts);

}  // namespace sotto::analyzer

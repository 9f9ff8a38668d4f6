// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The plan of the stage between devices: who is asked what, and whether an effect of the stated size can be found.

#include <cstdint>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// An effect this many standard errors long, over all devices that answer for it, is worth asking for.
inline constexpr double k_between_strength = 4;

enum class BetweenStep : std::uint8_t {
  level,     ///< in which cell the target's level lies: where levels are centred, and how far they spread
  screen,    ///< products of level and columns, on fewer columns each time
  columns,   ///< the columns themselves: where their devices' values are centred
  confirm,   ///< products once more, around all that is known by then
  validate,  ///< how much better the model predicts levels than their mean; teaches nothing
};

struct BetweenCohort {
  BetweenStep step = BetweenStep::level;
  std::uint32_t candidates = 0;  ///< columns that are asked about
  double devices = 0;
};

struct BetweenPlan {
  std::vector<BetweenCohort> cohorts;
  double effect = 0;      ///< b: of one variable, in standard deviations of the levels
  double asked = 0;       ///< n_b: devices that answer with products
  double variance = 0;    ///< v(d): of one report, in squares of its radius, for one of its coordinates
  double strength = 0;    ///< z_b = b sqrt(n_b / (v(d) d))
  double for_enough = 0;  ///< devices of the study with which z_b is k_between_strength
};

/// The plan for terms.between, whose devices are set.
/// Refuses  protocol.between_small: cohorts below the study's minimum; protocol.between_weak: z_b below 4, unless the
///          study insists; what the channels refuse.
[[nodiscard]] Result<BetweenPlan> plan_between(const RegressionTerms& terms);

}  // namespace sotto::analyzer

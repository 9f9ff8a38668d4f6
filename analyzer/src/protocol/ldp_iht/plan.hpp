// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The plan of ldp-iht: kind of answer, cohorts, clip, and whether the fleet is large enough.

#include <string>
#include <vector>

#include "history.hpp"
#include "round.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// The plan. It follows from the study alone.
struct ItemPlan {
  ItemAnswer answer = ItemAnswer::block;
  std::vector<double> shares;  ///< of the cohorts
  double clip = 1;             ///< bound of a residual, divided by its standard deviation
  double step = 1;             ///< paper: eta
  Trust trust;
  double snr = 0;  ///< n V / (s times what n V would be one of): signal of a coefficient over the noise on it, squared
  std::string hopeless;  ///< why asking would only make noise, and what would change that; empty: worth asking
};

/// Below the first ratio the zero model is better; between the two either may be.
inline constexpr double k_item_snr_min = 5, k_item_snr_sure = 15;

/// The expected squared norm of the coefficients: that of four fifths of the study's bound.
[[nodiscard]] double expected_square(const RegressionTerms& terms);

/// Refuses  protocol.too_many_rounds: terms.steps is too large, with the largest possible number; protocol.small_fleet;
///          what item_efficiency() refuses.
[[nodiscard]] Result<ItemPlan> plan_item(const RegressionTerms& terms);
[[nodiscard]] Result<ProtocolPlan> item_manifest(const RegressionTerms& terms);

}  // namespace sotto::analyzer

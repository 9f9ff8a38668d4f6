// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

#include "history.hpp"
#include "round.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// Who answers ldp-iht, how, and whether it can be worth asking. All of it follows from the study.
struct ItemPlan {
  ItemAnswer answer = ItemAnswer::block;
  std::vector<double> shares;  ///< of the cohorts
  double clip = 1;             ///< bound of a residual, over its deviation
  double step = 1;             ///< paper: eta
  Trust trust;
  double snr = 0;  ///< n V / (s times what n V would be one of): signal of a coefficient over the noise on it, squared
  std::string hopeless;  ///< why asking would only make noise, and what would change that; empty: worth asking
};

/// The zero model is better below the first; between the two it may go either way.
inline constexpr double k_item_snr_min = 5, k_item_snr_sure = 15;

/// Squared length of the coefficients that formulas count with: four fifths of the study's bound, squared.
[[nodiscard]] double expected_square(const RegressionTerms& terms);

/// Refuses  protocol.too_many_rounds: terms.steps does not fit, with the largest number that does; protocol.small_fleet; what
///          item_efficiency() refuses.
[[nodiscard]] Result<ItemPlan> plan_item(const RegressionTerms& terms);
[[nodiscard]] Result<ProtocolPlan> item_manifest(const RegressionTerms& terms);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "../rounds/coordinate_plan.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// Who votes, and how many steps the others are spread over. A step has two devices for every coordinate of every question.
///
/// Default  vote and T on a grid (twentieths; every T that fits): the least predicted error, which is what the votes miss and what
///          AcceleratedDescent expects of s variables.
/// Paper    half of the devices vote; T = min(n, sqrt(n m eps^2)), n the others, cut to what fits: the paper's own n/(2T) is 0 as soon as
///          m eps^2 >= n.
struct MultiRoundPlan {
  double vote = 0.5;
  std::uint32_t steps = 1;  ///< T
  double predicted = 0;     ///< squared l2 error, no more than the zero model's
  ValueChannel channel;     ///< paper

  /// Devices that a question of a step can expect.
  [[nodiscard]] double devices_a_question(const RegressionTerms& terms) const;
};
/// Refuses  protocol.too_many_rounds: terms.steps does not fit, with the largest T that does; protocol.small_fleet: none does; what the
///          channels refuse.
[[nodiscard]] Result<MultiRoundPlan> plan_multi_round(const RegressionTerms& terms);
[[nodiscard]] Result<ProtocolPlan> multi_round_manifest(const RegressionTerms& terms);

/// 1/L of a gradient on this many variables, L the largest eigenvalue of a device's X'X/m as a study guesses it: 1 + k/m for
/// standardised independent features, min(k, 3) + k/m where they go along with each other (3: neighbours correlated by 1/2).
[[nodiscard]] double step_size(const RegressionTerms& terms, std::size_t variables);

/// What a gradient's length is above in about half of the cases, when `left` is the squared distance from the truth.
[[nodiscard]] double gradient_radius(const RegressionTerms& terms, std::size_t variables, double left);
/// Of one rotated coordinate of a gradient. Its mean is no longer than the way to the truth, at most norm + |query|.
[[nodiscard]] CoordinateFacts gradient_facts(const RegressionTerms& terms, const MultiRoundPlan& plan,
                                             std::size_t variables, double query_length);

}  // namespace sotto::analyzer

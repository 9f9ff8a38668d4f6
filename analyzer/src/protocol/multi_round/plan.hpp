// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The plan of multi-round: the share of devices that vote, and the number of steps.

#include "../rounds/coordinate_plan.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// The plan. Each step has at least two devices for each coordinate of each question.
///
/// Default  the share of votes (in twentieths) and T with the smallest predicted error: what the votes miss, plus what
///          AcceleratedDescent predicts for s variables.
/// Paper    half of the devices vote; T = min(n, sqrt(n m eps^2)) with n the others, reduced to what fits: the paper's
///          own n/(2T) is 0 as soon as m eps^2 >= n.
struct MultiRoundPlan {
  double vote = 0.5;
  std::uint32_t steps = 1;  ///< T
  double predicted = 0;     ///< squared l2 error, at most that of the zero model
  ValueChannel channel;     ///< paper

  /// Expected number of devices for one question of a step.
  [[nodiscard]] double devices_a_question(const RegressionTerms& terms) const;
};
/// Refuses  protocol.too_many_rounds: terms.steps is too large, with the largest possible T; protocol.small_fleet: no T
///          is possible; what the channels refuse.
[[nodiscard]] Result<MultiRoundPlan> plan_multi_round(const RegressionTerms& terms);
[[nodiscard]] Result<ProtocolPlan> multi_round_manifest(const RegressionTerms& terms);

/// 1/L for a gradient on this many variables, with L the largest eigenvalue of a device's X'X/m as guessed from the
/// study: 1 + k/m for standardised independent features, min(k, 3) + k/m for correlated ones (3: neighbours with
/// correlation 1/2).
[[nodiscard]] double step_size(const RegressionTerms& terms, std::size_t variables);

/// The median norm of a device's gradient, if `left` is the squared distance from the truth.
[[nodiscard]] double gradient_radius(const RegressionTerms& terms, std::size_t variables, double left);
/// The facts of one rotated coordinate of a gradient. Its mean is no longer than the distance to the truth, which is at
/// most norm + |query|.
[[nodiscard]] CoordinateFacts gradient_facts(const RegressionTerms& terms, const MultiRoundPlan& plan,
                                             std::size_t variables, double query_length);

}  // namespace sotto::analyzer

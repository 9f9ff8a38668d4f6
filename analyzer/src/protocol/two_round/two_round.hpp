// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The protocol two-round: a vote chooses variables, then bins and values of rotated coordinates estimate them.

#include "../rounds/ballot.hpp"
#include "../rounds/coordinate_plan.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// The shares of the devices that vote, report bins, and report values. Paper: 1/2, 1/4, 1/4. Default: the split in
/// twentieths with the smallest predicted error, which is what the votes miss plus what plan_coordinates() predicts for
/// s variables; each coordinate has at least two devices in both rounds.
struct TwoRoundPlan {
  double vote = 0.5, bin = 0.25, value = 0.25;
  double predicted = 0;  ///< squared l2 error, at most that of the zero model
  ValueChannel channel;
};
/// Refuses  protocol.small_fleet: fewer than two devices for a coordinate; what the channels refuse.
[[nodiscard]] Result<TwoRoundPlan> plan_two_round(const RegressionTerms& terms);
[[nodiscard]] Result<ProtocolPlan> two_round_manifest(const RegressionTerms& terms);

/// Two-round (Ma et al., Alg. 1 with 7 to 9): a vote chooses variables, then bins and values of one rotated coordinate
/// of the local least squares estimate on them give the mean. Answers are clipped before they are randomized, cohorts
/// are disjoint, and a coordinate is the mean of its reports (Alg. 9 prints s times that). The paper's estimate is the
/// mean itself; the default shrinks it.
class TwoRound final : public RoundProtocol {
 public:
  /// `manifest` must outlive it.
  TwoRound(const RegressionTerms& terms, TwoRoundPlan plan, const Manifest& manifest);

  [[nodiscard]] Model model() const override;

 private:
  enum class Step : std::uint8_t { vote, bin, value, done };
  [[nodiscard]] bool is_over() const override { return step_ == Step::done; }
  [[nodiscard]] Result<RoundDraft> draft() override;
  Result<Done> record(const RoundAggregate& aggregate) override;

  TwoRoundPlan plan_;
  const std::uint8_t* seed_;
  Step step_ = Step::vote;
  Ballot ballot_;
  CoordinateQuestion question_;
  double misplaced_ = 0;  // of the open bins, see CoordinatePlan
  CoordinateMean mean_;
};

extern const ProtocolRow k_two_round_row;

}  // namespace sotto::analyzer

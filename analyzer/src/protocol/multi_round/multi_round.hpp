// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The protocol multi-round: a vote chooses variables, then accelerated gradient descent estimates them.

#include "../estimate/accelerated.hpp"
#include "../rounds/ballot.hpp"
#include "plan.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

/// Multi-round (Ma et al., Alg. 5 and 6): a vote chooses variables, then T steps of accelerated descent follow. In each
/// step a cohort of its own reports the average gradient of its rows on the chosen variables.
///
/// Default  one cohort a step; the gradient is reported as a direction (a vector in a ball).
/// Paper    two cohorts a step: the mean by Alg. 9, bins of one rotated coordinate and then its values, with the
///          corrections of two-round.
class MultiRound final : public RoundProtocol {
 public:
  /// `manifest` must outlive it.
  MultiRound(const RegressionTerms& terms, MultiRoundPlan plan, const Manifest& manifest);

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override;
  [[nodiscard]] bool asks_bins() const { return terms_.paper && closed() % 2 == 1; }
  [[nodiscard]] Result<RoundDraft> draft() override;
  void written(const RoundDraft& draft) override;
  /// The study's minimum applies to the vote. A step needs one report for each chosen variable, at least two.
  [[nodiscard]] std::uint32_t minimum() const override;
  Result<Done> record(const RoundAggregate& aggregate) override;
  void close_direction(const RoundAggregate& aggregate);
  void close_bins(const RoundAggregate& aggregate);
  void close_values(const RoundAggregate& aggregate);
  void move(double noise);
  [[nodiscard]] Coefficient coefficient(std::size_t i) const;

  MultiRoundPlan plan_;
  const std::uint8_t* seed_;
  Ballot ballot_;
  AcceleratedDescent descent_;
  DirectionQuestion direction_;    // default: the open question
  CoordinateQuestion coordinate_;  // paper
  double misplaced_ = 0;           // of the open bins, see CoordinatePlan
  DirectionAnswer last_;           // of the last step, with its centre added
  double freedom_ = 1;             // of last_
};

extern const ProtocolRow k_multi_round_row;

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The base class of cascade and boost: a protocol whose rounds follow a schedule of selection and estimation steps.

#include "selection.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// Each step of the schedule is one round with its own cohort.
class Stepped : public RoundProtocol {
 protected:
  Stepped(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest);

  /// The model so far, whose fit a selection round subtracts from the target.
  [[nodiscard]] virtual Entries known() const = 0;
  /// The question of this estimation step.
  [[nodiscard]] virtual DirectionQuestion next_question() = 0;
  virtual void close_selection(const Selection& selection) = 0;
  virtual void close_estimation(const DirectionAnswer& answer) = 0;
  /// Called after every step but the last.
  virtual void prepare_step() {}

  /// The model so far, with the share of empty devices.
  [[nodiscard]] Model begun() const;
  [[nodiscard]] bool is_last() const noexcept { return closed() + 1 == schedule_.steps.size(); }
  /// The step of the open round.
  [[nodiscard]] const Step& step() const { return schedule_.steps[closed()]; }

  Schedule schedule_;
  DirectionQuestion asked_;
  EmptyShare empty_;

 private:
  [[nodiscard]] bool is_over() const final;
  [[nodiscard]] Result<RoundDraft> draft() final;
  Result<Done> record(const RoundAggregate& aggregate) final;
  void prepare_next() final;
};

/// The votes of a selection round.
[[nodiscard]] Result<RoundDraft> draft_selection(const RegressionTerms& terms, const Entries& known,
                                                 std::uint16_t number, std::uint8_t cohort);
/// The protocol's plan from a schedule, with the schedule as `own`.
[[nodiscard]] Result<ProtocolPlan> plan_steps(const RegressionTerms& terms, const Result<Schedule>& schedule);

}  // namespace sotto::analyzer

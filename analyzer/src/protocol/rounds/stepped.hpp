// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "selection.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"

namespace sotto::analyzer {

/// What cascade and boost have in common: a schedule whose steps are rounds, each with a cohort of its own.
class Stepped : public RoundProtocol {
 protected:
  Stepped(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest);

  /// What is known so far, for a selection round to take off the target.
  [[nodiscard]] virtual Entries known() const = 0;
  /// What the estimation round of this step asks.
  [[nodiscard]] virtual DirectionQuestion next_question() = 0;
  virtual void close_selection(const Selection& selection) = 0;
  virtual void close_estimation(const DirectionAnswer& answer) = 0;
  /// After every step but the last.
  virtual void prepare_step() {}

  /// The model so far, with the share of empty devices.
  [[nodiscard]] Model begun() const;
  [[nodiscard]] bool is_last() const noexcept { return closed() + 1 == schedule_.steps.size(); }
  /// Of the open round.
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

/// A selection by votes or by scores, as the schedule says.
[[nodiscard]] Result<RoundDraft> draft_selection(const RegressionTerms& terms, const Schedule& schedule,
                                                 const Entries& known, std::uint16_t number, std::uint8_t cohort);
/// The plan that a schedule is, in which it stands as `own`.
[[nodiscard]] Result<ProtocolPlan> plan_steps(const RegressionTerms& terms, const Result<Schedule>& schedule);

}  // namespace sotto::analyzer

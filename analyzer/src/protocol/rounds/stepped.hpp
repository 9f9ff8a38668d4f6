// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>

#include "selection.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/rounds/schedule.hpp"

namespace sotto::analyzer {

/// What cascade and boost have in common: a schedule whose steps are rounds, each with a cohort of its own.
class Stepped : public Protocol {
 public:
  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() final;
  Result<Done> close(const RoundAggregate& aggregate) final;

 protected:
  Stepped(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest);

  /// What is known so far, for a selection round to take off the target.
  [[nodiscard]] virtual Entries known() const = 0;
  /// What the estimation round of this step asks.
  [[nodiscard]] virtual DirectionQuestion next_question() = 0;
  virtual void close_selection(const Selection& selection) = 0;
  virtual void close_estimation(const DirectionAnswer& answer) = 0;
  /// After every step but the last.
  virtual void prepare_next() {}

  /// The model so far, with the share of empty devices.
  [[nodiscard]] Model begun() const;
  [[nodiscard]] bool is_last() const noexcept { return step_ + 1 == schedule_.steps.size(); }

  RegressionTerms terms_;
  Schedule schedule_;
  std::size_t step_ = 0;
  DirectionQuestion asked_;
  EmptyShare empty_;

 private:
  [[nodiscard]] Result<RoundDraft> draft();

  Digest study_;
  Model model_;
};

}  // namespace sotto::analyzer

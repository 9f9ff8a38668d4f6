// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "stepped.hpp"

#include <cmath>

#include "../frame/plan_parts.hpp"

namespace sotto::analyzer {

Stepped::Stepped(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest)
    : RoundProtocol(terms, manifest), schedule_(std::move(schedule)) {}

bool Stepped::is_over() const { return closed() == schedule_.steps.size() || !schedule_.hopeless.empty(); }

Result<RoundDraft> Stepped::draft() {
  if (step().kind == StepKind::estimate) {
    asked_ = next_question();
    return draft_direction(terms_, asked_, number(), cohort());
  }
  return draft_selection(terms_, known(), number(), cohort());
}

Result<Done> Stepped::record(const RoundAggregate& aggregate) {
  if (step().kind == StepKind::select) {
    close_selection(read_selection(terms_, number(), aggregate.votes(), empty_, model_));
  } else {
    const DirectionAnswer answer = read_direction(asked_, aggregate.direction());
    model_.rounds.push_back(record_of(number(), asked_, answer));
    close_estimation(answer);
  }
  return Done{};
}

void Stepped::prepare_next() {
  if (closed() < schedule_.steps.size()) prepare_step();
}

Model Stepped::begun() const {
  Model out = model_;
  out.empty_share = empty_.share();
  out.empty_share_error = std::sqrt(empty_.variance());
  return out;
}

Result<RoundDraft> draft_selection(const RegressionTerms& terms, const Entries& known, std::uint16_t number,
                                   std::uint8_t cohort) {
  const bool means = terms.protocol->learned == Learned::mean;
  return draft_vote(terms, means, known, number, cohort);
}

Result<ProtocolPlan> plan_steps(const RegressionTerms& terms, const Result<Schedule>& schedule) {
  if (!schedule) return schedule.error();
  const Result<RoundDraft> first = draft_selection(terms, {}, 1, 0);
  if (!first) return first.error();
  ProtocolPlan plan{cohort_weights(schedule.value()), question_bits({QuestionKind::vote, QuestionKind::direction}),
                    first.value().spec};
  plan.own = schedule.value();
  return plan;
}

}  // namespace sotto::analyzer

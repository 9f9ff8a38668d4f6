// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "stepped.hpp"

#include <cmath>

namespace sotto::analyzer {

Stepped::Stepped(const RegressionTerms& terms, Schedule schedule, const Manifest& manifest)
    : terms_(terms), schedule_(std::move(schedule)), study_(manifest_digest(manifest)) {}

Result<RoundDraft> Stepped::draft() {
  const auto number = static_cast<std::uint16_t>(step_ + 1);
  const auto cohort = static_cast<std::uint8_t>(step_);
  if (schedule_.steps[step_].kind == StepKind::estimate) {
    asked_ = next_question();
    return draft_direction(terms_, asked_, number, cohort);
  }
  const bool means = terms_.protocol == ProtocolKind::sparse_mean;
  return schedule_.votes ? draft_vote(terms_, means, known(), number, cohort)
                         : draft_scores(terms_, known(), number, cohort);
}

Result<std::optional<std::vector<std::uint8_t>>> Stepped::open() {
  if (step_ == schedule_.steps.size() || !schedule_.hopeless.empty()) return std::optional<std::vector<std::uint8_t>>{};
  Result<RoundDraft> made = draft();
  if (!made) return made.error();
  Result<std::vector<std::uint8_t>> bytes = write_round(made.value(), study_);
  if (!bytes) return bytes.error();
  return std::optional(std::move(bytes).value());
}

Result<Done> Stepped::close(const RoundAggregate& aggregate) {
  const std::size_t round = step_ + 1;
  if (const auto enough = enough_reports(round, aggregate.used(), terms_.minimum); !enough) return enough;
  if (schedule_.steps[step_].kind == StepKind::select) {
    close_selection(read_selection(terms_, schedule_.votes, round, aggregate, empty_, model_));
  } else {
    const DirectionAnswer answer = read_direction(asked_, aggregate.direction());
    model_.rounds.push_back(record_of(round, asked_, answer));
    close_estimation(answer);
  }
  if (++step_ < schedule_.steps.size()) prepare_next();
  return Done{};
}

Model Stepped::begun() const {
  Model out = model_;
  out.empty_share = empty_.share();
  out.empty_share_error = std::sqrt(empty_.variance());
  return out;
}

}  // namespace sotto::analyzer

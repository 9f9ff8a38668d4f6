// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Session::about(), in a file of its own so that only a firmware that asks links it.
#include "sotto/bytes.hpp"
#include "sotto/session/session.hpp"

namespace sotto {
namespace {

[[nodiscard]] RoundState state_in(const StudyEntry& study, const Manifest& manifest, std::uint16_t round) noexcept {
  if (study.state == StudyState::none || round > study.round) {
    // All answers of a study cost the same, so the spending counts them; at most 12 nats times 65,535.
    const bool in_full = study.spent.epsilon > manifest.epsilon * (manifest.answers - 1u);
    return in_full ? RoundState::over : RoundState::free;
  }
  if (round < study.round) return RoundState::passed;
  if (study.state == StudyState::charged) return RoundState::lost;
  return study.state == StudyState::stored ? RoundState::kept : RoundState::acknowledged;
}

}  // namespace

Status Session::about(const std::span<const std::uint8_t>& round, RoundInfo& out) const noexcept {
  if (step_ == Step::closed) return Status::not_prepared;
  if (occupancy_.life != ledger_->life()) return Status::stale_session;
  Round asked;
  RoundTimes times;
  if (const Status s = decode_round(round, asked); s != Status::ok) return s;
  if (const Status s = round_times(asked, times); s != Status::ok) return s;
  if (!equal_bytes(asked.study.data(), context_.study.data(), sizeof context_.study)) return Status::foreign_study;
  const StudyEntry* const study = ledger_->study(context_.study);
  if (study == nullptr) return Status::unknown_study;
  const bool all = asked.cohort == k_every_cohort;
  out = {times,
         times.closes == 0 ? 0 : send_time(times, slot(asked.number)),
         asked.number,
         asked.question,
         asked.cohort,
         state_in(*study, asked_.manifest, asked.number),
         all || asked.cohort == cohort_of(asked_.manifest, answer_.pseudonym)};
  return Status::ok;
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The life of an answer: checked against the caps, charged, stored, sent again, acknowledged.
#include "sotto/ledger/ledger.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {

/// Subtracts `amount` from `room`. Returns false if either part is too large; `room` is then meaningless.
[[nodiscard, gnu::noinline]] bool take(Charge& room, const Charge& amount) noexcept {
  if (room.epsilon < amount.epsilon) return false;
  room.epsilon -= amount.epsilon;
  if (room.delta < amount.delta) return false;
  room.delta -= amount.delta;
  return true;
}

/// Whether the study has had as many answers as it allows. All answers of a study cost the same, so the spending counts
/// them. With a price of at most 12 nats the product is below 2^50; with a larger price it may wrap to a smaller
/// number, and the answer is then refused.
[[nodiscard]] bool is_answered_in_full(const Charge& spent, const Answer& answer) noexcept {
  if (answer.answers == 0) return true;
  const std::uint32_t before = answer.answers - 1u;
  const auto lower = static_cast<std::uint32_t>(answer.price.epsilon),
             upper = static_cast<std::uint32_t>(answer.price.epsilon >> 32);
  return spent.epsilon > multiply_add(std::uint64_t{upper * before} << 32, lower, before);
}

}  // namespace

Status Ledger::pay(StudyEntry& study, Answer& answer, Act act) noexcept {
  const ImageHead& head = image();
  // Before the caps: a device that has given its answers is done, whatever is left of its caps.
  if (is_answered_in_full(study.spent, answer)) return Status::over_answers;
  // Whether the price and what was spent fit within the caps. Subtracting one by one cannot overflow.
  Charge room = head.policy.per_study;
  if (!take(room, answer.price) || !take(room, study.spent)) return Status::over_study_cap;
  room = head.policy.total;
  if (!take(room, head.retired)) return Status::over_total_cap;
  const Charge* amount = &answer.price;
  for (std::uint32_t at = entries();; at += head.entry_bytes) {
    if (!take(room, *amount)) return Status::over_total_cap;
    if (at == bytes_) break;
    amount = &entry(at).spent;
  }
  if (act == Act::check) return Status::ok;
  if (answer.bytes - 1u >= report_room()) return Status::bad_report_size;
  study.spent.epsilon += answer.price.epsilon;  // at most the cap
  study.spent.delta += answer.price.delta;
  study.round = answer.round;
  study.report_bytes = static_cast<std::uint16_t>(answer.bytes);
  study.state = StudyState::charged;
  commit(1);
  pending_ = &study;
  if (fault_ == Status::ok && answer.key != nullptr) __builtin_memcpy(answer.key, study.key.data(), sizeof study.key);
  return Status::ok;
}

Status Ledger::act(Answer& answer, Act act) noexcept {
  return guarded([&] {
    if (act != Act::find && image().consent == 0) return Status::consent_off;
    StudyEntry* const found = look_up(*answer.digest);
    if (found == nullptr) return Status::unknown_study;
    StudyEntry& study = *found;
    answer.pseudonym = study.pseudonym;
    answer.has_key = study.has_key;
    if (act == Act::find) return Status::ok;
    if (study.state == StudyState::none || answer.round > study.round) {
      if (act >= Act::store) return Status::not_answered;
      return pay(study, answer, act);
    }
    if (answer.round < study.round || study.state == StudyState::acknowledged) return Status::already_answered;
    const std::uint32_t bytes = study.report_bytes;
    if (study.state != StudyState::stored) {
      // The charge was made before a restart: its random bits are gone, and drawing others would be a second draw.
      if (act != Act::store || pending_ != &study) return Status::spent_unsent;
      if (answer.bytes != bytes) return Status::bad_report_size;
      __builtin_memcpy(study.report(), answer.report, bytes);
      study.state = StudyState::stored;
      commit(0);
      return Status::ok;
    }
    if (act <= Act::store) {
      answer.stored = 1;
      return Status::already_answered;
    }
    if (act == Act::acknowledge) {
      study.state = StudyState::acknowledged;
      commit(0);
      return Status::ok;
    }
    if (answer.bytes < bytes || report_room() < bytes)
      return Status::short_buffer;  // the second only if the image was forged
    answer.bytes = bytes;
    __builtin_memcpy(answer.report, study.report(), bytes);
    return Status::ok;
  });
}

}  // namespace sotto

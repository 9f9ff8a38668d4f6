// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The life of an answer: charged, stored, sent again, acknowledged.
#include "guard.hpp"

namespace sotto {

namespace {

/// Takes `amount` out of `room`, unless one part of it is more than there is. Exact: there is nothing to overflow.
[[nodiscard, gnu::noinline]] bool take(Charge& room, const Charge& amount) noexcept {
  if (room.epsilon < amount.epsilon || room.delta < amount.delta) return false;
  room.epsilon -= amount.epsilon;
  room.delta -= amount.delta;
  return true;
}

}  // namespace

/// Is there room under the cap for this charge beside what the studies, or `only` this one, spent?
bool Ledger::affords(const Charge& cap, const Charge& charge, const StudyEntry* only) const noexcept {
  Charge room = cap;
  if (!take(room, charge)) return false;
  for (std::uint32_t at = k_image_head_bytes; at != bytes_; at += entry_bytes(image())) {
    const StudyEntry& study = entry(at);
    if ((only == nullptr || only == &study) && !take(room, study.spent)) return false;
  }
  return true;
}

Status Ledger::act(Answer& answer, Act act) noexcept {
  return guarded([&] { return take_step(answer, act); });
}

Status Ledger::take_step(Answer& answer, Act act) noexcept {
  StudyEntry& study = *answer.study;
  if (act == Act::store) {
    // A charge that an earlier life of the firmware made cannot be used: its coins are gone, and others would be a second draw.
    if (pending_ != &study) return Status::spent_unsent;
    if (answer.bytes != study.report_bytes) return Status::bad_report_size;
    __builtin_memcpy(study.report(), answer.report, answer.bytes);
    study.state = StudyState::stored;
    commit(0);
    return Status::ok;
  }
  const ImageHead& head = image();
  if (head.consent == 0) return Status::consent_off;
  const auto offset = reinterpret_cast<std::uintptr_t>(&study) - reinterpret_cast<std::uintptr_t>(image_);
  if (offset >= bytes_) return Status::unknown_study;  // of another ledger, or of this one before it was made anew
  const std::uint32_t room = entry_bytes(head) - k_entry_bytes;

  if (study.state == StudyState::none || answer.round > study.round) {
    if (act >= Act::resend) return Status::not_answered;
    if (!affords(head.policy.per_study, answer.price, &study)) return Status::over_study_cap;
    if (!affords(head.policy.total, answer.price, nullptr)) return Status::over_total_cap;
    if (act == Act::check) return Status::ok;
    if (answer.bytes - 1u >= room) return Status::bad_report_size;
    study.spent.epsilon += answer.price.epsilon;  // at most the cap
    study.spent.delta += answer.price.delta;
    study.round = answer.round;
    study.state = StudyState::charged;
    study.report_bytes = static_cast<std::uint16_t>(answer.bytes);
    commit(1);
    pending_ = &study;
    return Status::ok;
  }
  if (answer.round < study.round || study.state == StudyState::acknowledged) return Status::already_answered;
  if (study.state != StudyState::stored) return Status::spent_unsent;
  if (act < Act::resend) return Status::already_answered;
  if (act == Act::acknowledge) {
    study.state = StudyState::acknowledged;
    commit(0);
    return Status::ok;
  }
  const std::uint32_t bytes = study.report_bytes;
  if (answer.bytes < bytes) return Status::short_buffer;
  if (bytes > room) return Status::ledger_corrupt;  // somebody wrote this image
  answer.bytes = bytes;
  __builtin_memcpy(answer.report, study.report(), bytes);
  return Status::ok;
}

}  // namespace sotto

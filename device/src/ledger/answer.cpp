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

Status Ledger::pay(Answer& answer, Act act) noexcept {
  const ImageHead& head = image();
  StudyEntry& study = *answer.study;
  Charge room = head.policy.per_study;
  if (!take(room, answer.price) || !take(room, study.spent)) return Status::over_study_cap;
  room = head.policy.total;
  bool enough = take(room, answer.price);
  for (std::uint32_t at = k_image_head_bytes; at != bytes_; at += head.entry_bytes)
    enough &= take(room, entry(at).spent);
  if (!enough) return Status::over_total_cap;
  if (act == Act::check) return Status::ok;
  if (answer.bytes - 1u >= report_room()) return Status::bad_report_size;
  study.spent.epsilon += answer.price.epsilon;  // at most the cap
  study.spent.delta += answer.price.delta;
  study.round = answer.round;
  study.report_bytes = static_cast<std::uint16_t>(answer.bytes);
  study.state = StudyState::charged;
  commit(1);
  pending_ = &study;
  return Status::ok;
}

Status Ledger::act(Answer& answer, Act act) noexcept {
  return guarded([&] {
    if (act != Act::find && image().consent == 0) return Status::consent_off;
    // By its name, unless it was found since the ledger was opened: an entry of before may be another study's now.
    const auto offset = reinterpret_cast<std::uintptr_t>(answer.study) - reinterpret_cast<std::uintptr_t>(image_);
    if (act == Act::find || answer.life != life_ || offset >= bytes_) {
      answer.study = look_up(*answer.digest);
      if (answer.study == nullptr) return Status::unknown_study;
      answer.life = life_;
    }
    if (act == Act::find) return Status::ok;
    StudyEntry& study = *answer.study;
    if (study.state == StudyState::none || answer.round > study.round) {
      if (act >= Act::store) return Status::not_answered;
      return pay(answer, act);
    }
    if (answer.round < study.round || study.state == StudyState::acknowledged) return Status::already_answered;
    const std::uint32_t bytes = study.report_bytes;
    if (study.state != StudyState::stored) {
      // A charge that an earlier life of the firmware made cannot be used: its coins are gone, and others would be a second draw.
      if (act != Act::store || pending_ != &study) return Status::spent_unsent;
      if (answer.bytes != bytes) return Status::bad_report_size;
      __builtin_memcpy(study.report(), answer.report, bytes);
      study.state = StudyState::stored;
      commit(0);
      return Status::ok;
    }
    if (act <= Act::store) return Status::already_answered;
    if (act == Act::acknowledge) {
      study.state = StudyState::acknowledged;
      commit(0);
      return Status::ok;
    }
    if (answer.bytes < bytes || report_room() < bytes)
      return Status::short_buffer;  // the latter if somebody wrote this image
    answer.bytes = bytes;
    __builtin_memcpy(answer.report, study.report(), bytes);
    return Status::ok;
  });
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The life of an answer: charged, stored, sent again, acknowledged.
#include "guard.hpp"

namespace sotto {

namespace {

/// Takes `amount` out of `room`. Returns false, and leaves the room alone, if one part of it is more than there is.
#if defined(__ARM_ARCH_6M__)
// Half of what GCC makes of the same below: it compares first, and subtracts once more.
[[gnu::naked, gnu::noinline]] bool take(Charge&, const Charge&) noexcept {
  __asm__(
      ".syntax unified\n\t"
      "push {r4, r5, r6, r7, lr}\n\t"
      "ldmia r1!, {r4, r5, r6, r7}\n\t"
      "ldmia r0!, {r1, r2}\n\tsubs r1, r1, r4\n\tsbcs r2, r5\n\tbcc 1f\n\t"
      "ldr r3, [r0]\n\tldr r4, [r0, #4]\n\tsubs r3, r3, r6\n\tsbcs r4, r7\n\tbcc 1f\n\t"
      "subs r0, #8\n\tstmia r0!, {r1, r2, r3, r4}\n\t"
      "movs r0, #1\n\tpop {r4, r5, r6, r7, pc}\n"
      "1:\tmovs r0, #0\n\tpop {r4, r5, r6, r7, pc}");
}
#else
[[nodiscard]] bool take(Charge& room, const Charge& amount) noexcept {
  if (room.epsilon < amount.epsilon || room.delta < amount.delta) return false;
  room.epsilon -= amount.epsilon;
  room.delta -= amount.delta;
  return true;
}
#endif

}  // namespace

/// Does the cap hold the price and what these entries have spent? Exact: taken out one by one, nothing can overflow.
[[gnu::noinline]] bool Ledger::affords(const Charge& cap, const Charge& price, std::uint32_t at,
                                       std::uint32_t end) const noexcept {
  Charge room = cap;
  for (const Charge* amount = &price;; at += image().entry_bytes) {
    if (!take(room, *amount)) return false;
    if (at == end) return true;
    amount = &entry(at).spent;
  }
}

Status Ledger::pay(Answer& answer, Act act) noexcept {
  const ImageHead& head = image();
  StudyEntry& study = *answer.study;
  const auto at =
      static_cast<std::uint32_t>(reinterpret_cast<std::uint8_t*>(&study) - reinterpret_cast<std::uint8_t*>(image_));
  if (!affords(head.policy.per_study, answer.price, at, at + head.entry_bytes)) return Status::over_study_cap;
  Charge room = head.policy.total;
  if (!take(room, head.retired) || !affords(room, answer.price, entries(), bytes_)) return Status::over_total_cap;
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

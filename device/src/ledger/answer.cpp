// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The life of an answer: charged, stored, sent again, acknowledged.
#include "charge_sum.hpp"
#include "guard.hpp"

namespace sotto {

/// ok: the report of this round is in the ledger. not_answered: this round may be charged.
Status Ledger::standing(StudyEntry& study, std::uint16_t round) noexcept {
  if (!consent()) return Status::consent_off;
  if (const Status status = refresh(study); status != Status::ok) return status;
  const StudyFacts& facts = study.facts;
  if (facts.state == StudyState::none || round > facts.round) return Status::not_answered;
  if (round < facts.round || facts.state == StudyState::acknowledged) return Status::already_answered;
  return facts.state == StudyState::stored ? Status::ok : Status::spent_unsent;
}

Status Ledger::check_charge(StudyEntry& study, std::uint16_t round, const Charge& charge) noexcept {
  const Status status = standing(study, round);
  if (status == Status::ok) return Status::already_answered;
  if (status != Status::not_answered) return status;
  if (exceeds(study.facts.spent, charge, body_.policy.per_study)) return Status::over_study_cap;
  return exceeds(spent_, charge, body_.policy.total) ? Status::over_total_cap : Status::ok;
}

/// One record of this study, if there is room for it and `more_bytes`.
Status Ledger::record(StudyEntry& study, RecordHead head, const void* body, std::uint32_t more_bytes) noexcept {
  Status status = make_room(record_bytes(head.bytes + more_bytes));
  if (status == Status::ok) status = refresh(study);
  if (status != Status::ok) return status;
  RecordCursor cursor(log_end_);
  cursor.at = log_end_;
  cursor.head = head;
  append(record_head(head.type, study.index, head.bytes), body);
  apply(study, cursor, body);
  study.log_end = log_end_;
  pending_ = 0;
  return status;
}

Status Ledger::may_charge(StudyEntry& study, std::uint16_t round, const Charge& charge) noexcept {
  return guarded([&] { return check_charge(study, round, charge); });
}

Status Ledger::charge(StudyEntry& study, std::uint16_t round, const Charge& charge, std::size_t report_bytes) noexcept {
  return guarded([&] {
    Status status = check_charge(study, round, charge);
    if (status != Status::ok) return status;
    if (report_bytes - 1u >= k_report_max_bytes) return Status::bad_report_size;
    const ChargeBody body{charge, round};
    // Room for the report and its acknowledgement too: a report without room would be paid for and lost.
    const std::uint32_t after = 2 * k_record_frame_bytes + 2u * flash_->geometry.program_unit;
    status = record(study, {RecordType::charge, 0, k_charge_body_bytes}, &body,
                    static_cast<std::uint32_t>(report_bytes) + after);
    if (status != Status::ok) return status;
    add(spent_, charge);
    ++body_.acts;
    pending_ = static_cast<std::uint8_t>(study.index + 1u);
    advance_counter();
    return status;
  });
}

Status Ledger::store(StudyEntry& study, std::uint16_t round, const std::span<const std::uint8_t>& report) noexcept {
  return guarded([&] {
    Status status = standing(study, round);
    if (status == Status::ok) return Status::already_answered;
    if (report.size() - 1u >= k_report_max_bytes) return Status::bad_report_size;
    // A charge that an earlier life of the firmware made cannot be used: its coins are gone, and others would be a second draw.
    if (status != Status::spent_unsent || pending_ != study.index + 1u) return status;
    return record(study, {RecordType::report, 0, static_cast<std::uint16_t>(report.size())}, report.data(), 0);
  });
}

Status Ledger::stored_report(StudyEntry& study, std::uint16_t round, const std::span<std::uint8_t>& out,
                             std::size_t& bytes) noexcept {
  return guarded([&] {
    const Status status = standing(study, round);
    if (status != Status::ok) return status;
    if (out.size() < study.report_bytes) return Status::short_buffer;
    RecordCursor cursor(study.report_at);
    if (!next_whole(cursor)) return Status::ledger_corrupt;
    read(cursor.body(), out.data(), study.report_bytes);
    bytes = study.report_bytes;
    return status;
  });
}

Status Ledger::acknowledge(StudyEntry& study, std::uint16_t round) noexcept {
  return guarded([&] {
    const Status status = standing(study, round);
    return status == Status::ok ? record(study, {RecordType::acknowledged, 0, 0}, nullptr, 0) : status;
  });
}

}  // namespace sotto

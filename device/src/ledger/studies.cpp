// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Entries of studies, found by the full digest and read from the log; and the acts that change the ledger as a whole.
#include "charge_sum.hpp"
#include "guard.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

/// What a record says of its study; the body counts for a charge only.
void Ledger::apply(StudyEntry& study, const RecordCursor& record, const void* body) noexcept {
  StudyFacts& facts = study.facts;
  if (record.head.type == RecordType::charge) {
    const auto& charge = *static_cast<const ChargeBody*>(body);
    add(facts.spent, charge.charge);
    facts.round = charge.round;
    facts.state = StudyState::charged;
  }
  if (record.head.type == RecordType::report) {
    facts.state = StudyState::stored;
    study.report_at = record.at;
    study.report_bytes = record.head.bytes;
  }
  if (record.head.type == RecordType::acknowledged) facts.state = StudyState::acknowledged;
}

/// Reads the log: for the study of this digest, or of the entry's index.
Status Ledger::look_up(StudyEntry& study, const Digest* digest) noexcept {
  study.record_at = 0;  // where a header stands
  if (digest != nullptr) study.index = k_no_study;
  for (RecordCursor cursor(sector_start()); cursor.next != log_end_;) {
    if (!next(cursor)) {
      fail(Status::ledger_corrupt);
      break;
    }
    if (digest != nullptr && cursor.head.type == RecordType::study) {
      Digest stored;
      read(cursor.body() + sizeof(StudyFacts), stored.data(), sizeof stored);
      if (__builtin_memcmp(stored.data(), digest->data(), sizeof stored) == 0) study.index = cursor.head.study;
    }
    if (cursor.head.study != study.index) continue;
    if (cursor.head.type == RecordType::study) {
      read(cursor.body(), &study.facts, sizeof study.facts);
      study.record_at = cursor.at;
    }
    ChargeBody body;
    if (cursor.head.type == RecordType::charge) read(cursor.body(), &body, k_charge_body_bytes);
    apply(study, cursor, &body);
  }
  study.generation = body_.generation;
  study.log_end = log_end_;
  return study.record_at == 0 ? Status::unknown_study : Status::ok;
}

Status Ledger::refresh(StudyEntry& study) noexcept {
  if (study.generation == body_.generation && study.log_end == log_end_) return Status::ok;
  return look_up(study, nullptr);
}

Status Ledger::study(const Digest& digest, StudyEntry& out) noexcept {
  return guarded([&] { return look_up(out, &digest); });
}

Status Ledger::key(StudyEntry& study, ReportKey& out) noexcept {
  return guarded([&] {
    const Status status = refresh(study);
    constexpr std::uint32_t k_key_offset = sizeof(RecordHead) + sizeof(StudyFacts) + sizeof(Digest);
    if (status == Status::ok) read(study.record_at + k_key_offset, out.data(), sizeof out);
    return status;
  });
}

Status Ledger::enrol(const Digest& digest, const Credential* credential) noexcept {
  if (credential != nullptr && credential->pseudonym == 0) return Status::needs_credential;  // it could never be mended
  return guarded([&] {
    {
      StudyEntry study;
      if (look_up(study, &digest) == Status::ok) return Status::study_exists;
    }
    const Status status = studies_ == k_no_study ? Status::ledger_full : make_room(record_bytes(k_study_body_bytes));
    if (status != Status::ok) return status;
    StudyBody body;
    body.digest = digest;
    if (credential != nullptr) {
      body.facts.pseudonym = credential->pseudonym;
      body.facts.has_credential = credential->has_key ? 1 : 0;
      body.key = credential->key;
    }
    append(record_head(RecordType::study, studies_++, sizeof body), &body);
    wipe_object(body);
    return status;
  });
}

/// Both stand in the header: a change is a compaction, and leaves no older copy behind.
Status Ledger::rewrite(bool consent, const Policy& policy) noexcept {
  return guarded([&] {
    body_.consent = consent ? 1 : 0;
    body_.policy = policy;
    ++body_.acts;
    pending_ = 0;
    compact();
    advance_counter();
    return Status::ok;
  });
}

Status Ledger::set_consent(bool on) noexcept {
  if (open_ && !busy_ && on == consent()) return Status::ok;
  return rewrite(on, body_.policy);
}

Status Ledger::set_policy(const Policy& policy) noexcept { return rewrite(consent(), policy); }

}  // namespace sotto

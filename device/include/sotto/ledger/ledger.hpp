// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/ledger/flash.hpp"
#include "sotto/ledger/record.hpp"
#include "sotto/ledger/study_entry.hpp"
#include "sotto/status.hpp"

namespace sotto {

/// What this device has spent, kept in flash so that no power cut buys a second draw (shared/spec/LEDGER.md).
///
/// The order is the caller's promise: charge() before the first coin is drawn, store() before the first byte leaves. After a
/// cut: no charge on record, start again; a charge without a stored report, `spent_unsent` for ever; a stored report, these bytes.
///
/// Every call may refuse with no_ledger (not open), busy, flash_fault or counter_fault (a hook failed) and ledger_corrupt; the
/// last three close the ledger, and open() decides what is true. Memory: this object, below 128 bytes on 32-bit cores.
class Ledger {
 public:
  constexpr Ledger() noexcept = default;
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;

  /// Writes the first ledger into blank flash and opens it, with consent off. An explicit act of the firmware.
  /// Refuses  ledger_exists; ledger_corrupt where anything but an interrupted create() is found; what open() refuses.
  Status create(const Flash& flash, const LedgerHooks& hooks, const Policy& policy) noexcept;
  /// Finds the ledger, finishes what a power cut interrupted, and checks every byte that counts.
  /// Cost     time bounded by the size of the flash.
  /// Refuses  no_ledger on blank flash, ledger_corrupt, ledger_foreign (other geometry or version), rolled_back, flash_geometry.
  Status open(const Flash& flash, const LedgerHooks& hooks) noexcept;

  /// Withdrawing consent erases the stored reports from the flash and stops retransmission; the charges stay.
  Status set_consent(bool on) noexcept;
  /// New caps, higher or lower: a local act, for example when the owner renews consent. What was spent stays.
  Status set_policy(const Policy& policy) noexcept;
  /// Adds a study, with its credential or without.
  /// Refuses  study_exists, whatever its credential; ledger_full.
  Status enrol(const Digest& digest, const Credential* credential) noexcept;

  /// Refuses  unknown_study.
  Status study(const Digest& digest, StudyEntry& out) noexcept;
  Status key(StudyEntry& study, ReportKey& out) noexcept;

  /// Would charge() be refused by consent, round or caps? Writes nothing.
  Status may_charge(StudyEntry& study, std::uint16_t round, const Charge& charge) noexcept;
  /// Records the charge and syncs, and keeps room for a report of `report_bytes`. Rounds of a study only rise.
  /// Cost     with the study in the entry: see the count gate.
  /// Refuses  consent_off, already_answered, spent_unsent, over_study_cap, over_total_cap, bad_report_size, ledger_full.
  Status charge(StudyEntry& study, std::uint16_t round, const Charge& charge, std::size_t report_bytes) noexcept;
  /// Keeps the sealed report and syncs; then it may be sent. Only for the charge just made through this object.
  /// Refuses  spent_unsent without such a charge, consent_off, bad_report_size, ledger_full.
  Status store(StudyEntry& study, std::uint16_t round, const std::span<const std::uint8_t>& report) noexcept;
  /// The bytes that were stored for this round, to send once more.
  /// Refuses  not_answered (nobody charged this round yet), already_answered, spent_unsent, consent_off, short_buffer.
  Status stored_report(StudyEntry& study, std::uint16_t round, const std::span<std::uint8_t>& out,
                       std::size_t& bytes) noexcept;
  /// The report of this round arrived: it is sent no more.
  /// Refuses  not_answered, already_answered (acknowledged before, or an older round), spent_unsent, ledger_full.
  Status acknowledge(StudyEntry& study, std::uint16_t round) noexcept;

  [[nodiscard]] bool is_open() const noexcept { return open_; }
  [[nodiscard]] bool consent() const noexcept { return body_.consent != 0; }
  [[nodiscard]] const Policy& policy() const noexcept { return body_.policy; }
  [[nodiscard]] const Charge& total_spent() const noexcept { return spent_; }
  [[nodiscard]] std::uint32_t studies() const noexcept { return studies_; }

 private:
  template <class Body>
  Status guarded(Body body) noexcept;
  Status enter() noexcept;
  Status leave(Status status) noexcept;

  // flash_access.cpp: the hooks. The first failure sticks in fault_; nothing is written after it, and leave() returns it.
  void fail(Status status) noexcept;
  bool read(std::uint32_t address, void* out, std::uint32_t bytes) noexcept;
  void erase(std::uint32_t sector) noexcept;
  void sync() noexcept;
  void program(const std::uint8_t* data, std::uint32_t bytes) noexcept;
  [[nodiscard]] bool blank(std::uint32_t from, std::uint32_t to) noexcept;
  void advance_counter() noexcept;
  [[nodiscard]] bool read_counter(std::uint32_t& value) noexcept;

  // scan.cpp: reading
  [[nodiscard]] std::uint32_t record_bytes(std::uint32_t body_bytes) const noexcept;
  [[nodiscard]] std::uint32_t sector_start() const noexcept;
  [[nodiscard]] std::uint32_t room() const noexcept;
  [[nodiscard]] std::uint32_t flash_bytes() const noexcept;
  bool next(RecordCursor& cursor) noexcept;
  bool verify(const RecordCursor& cursor) noexcept;
  bool next_whole(RecordCursor& cursor) noexcept;
  Status scan(std::uint32_t sector) noexcept;
  bool check_tail() noexcept;

  // compact.cpp: writing
  void write(std::uint32_t head, const void* body, std::uint32_t from) noexcept;
  void append(std::uint32_t head, const void* body) noexcept;
  void compact() noexcept;
  void settle() noexcept;
  Status make_room(std::uint32_t bytes) noexcept;

  // open.cpp, studies.cpp, answer.cpp
  Status attach(const Flash& flash, const LedgerHooks& hooks) noexcept;
  Status find() noexcept;
  Status rewrite(bool consent, const Policy& policy) noexcept;
  void apply(StudyEntry& study, const RecordCursor& record, const void* body) noexcept;
  Status look_up(StudyEntry& study, const Digest* digest) noexcept;
  Status refresh(StudyEntry& study) noexcept;
  Status standing(StudyEntry& study, std::uint16_t round) noexcept;
  Status check_charge(StudyEntry& study, std::uint16_t round, const Charge& charge) noexcept;
  Status record(StudyEntry& study, RecordHead head, const void* body, std::uint32_t more_bytes) noexcept;

  // Small fields first, then the header's: Cortex-M0 reaches a byte in one instruction only near the beginning.
  Status fault_ = Status::ok;
  bool open_ = false, busy_ = false;
  bool torn_ = false;  // something other than blank stands behind the log
  std::uint8_t studies_ = 0;
  std::uint8_t pending_ = 0;     // 1 + index of the study whose charge waits for its report
  HeaderBody body_;              // of the active sector; `acts` counts on
  Charge spent_;                 // by all studies
  std::uint32_t sector_ = 0;     // the active one
  std::uint32_t log_end_ = 0;    // where the next record goes
  std::uint32_t write_at_ = 0;   // where write() goes on
  std::uint32_t fresh_end_ = 0;  // behind `clean`, 0 without one; a log that ends there gains nothing by compaction
  const Flash* flash_ = nullptr;
  const LedgerHooks* hooks_ = nullptr;
};
static_assert(sizeof(void*) > 4 || sizeof(Ledger) <= 128);

}  // namespace sotto

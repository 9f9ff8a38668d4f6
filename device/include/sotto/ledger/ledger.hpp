// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The privacy ledger of a device: it records in flash what every study has spent and the latest report, so that
/// neither a reboot nor a power cut yields a second report from fresh randomness, and it enforces the caps and the
/// owner's consent. Session calls it in the right order; a firmware itself creates, opens and configures it.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/coins/entropy.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/ledger/flash.hpp"
#include "sotto/ledger/image.hpp"
#include "sotto/ledger/occupancy.hpp"
#include "sotto/ledger/overlap.hpp"
#include "sotto/ledger/study_entry.hpp"
#include "sotto/status.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

/// The ledger. Format and power-cut cases: shared/spec/LEDGER.md.
///
/// The caller must keep the order: charge() before the randomizer draws its first random bit, store() before the first
/// byte of the report is sent. After a power cut, a round without a recorded charge starts again; a round that was
/// charged but has no stored report stays `spent_unsent` permanently; a stored report is returned as the same bytes.
///
/// Every call may refuse with no_ledger (not open), busy, or flash_fault, counter_fault or seal_fault (a hook failed).
/// A call that writes may also refuse with ledger_in_use (another object wrote this flash, or its contents decay) and
/// ledger_worn. All but the first two close the ledger; open() then reads what is really in the flash. Memory: 56 bytes
/// for this object on 32-bit cores, and ledger_memory_bytes() of the caller for the image.
class Ledger {
 public:
  explicit constexpr Ledger(const LedgerMemory& memory) noexcept
      : image_(memory.words),
        memory_bytes_(memory.bytes < k_image_max_bytes ? memory.bytes : k_image_max_bytes),
        report_bytes_(memory.report_bytes) {}
  template <std::uint32_t studies, std::uint32_t report_bytes>
  explicit constexpr Ledger(LedgerSpace<studies, report_bytes>& words) noexcept : Ledger(words.memory()) {}
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  ~Ledger() noexcept { close(); }

  /// Writes the first ledger into blank flash and opens it, with consent off. The device's secret is drawn from two
  /// seeds of `entropy` before anything is written.
  /// Refuses  ledger_exists; bad_report_size (the memory's `report_bytes`); ledger_corrupt if the flash holds anything but an interrupted create(); entropy_not_ready,
  ///          entropy_fault; what open() refuses.
  Status create(const Flash& flash, const LedgerHooks& hooks, const Policy& policy,
                const EntropySource& entropy) noexcept {
    const Creation creation{policy, entropy};
    return start(flash, hooks, &creation);
  }
  /// Finds the newest image in flash, completes what a power cut interrupted, and verifies the image.
  /// Cost     time bounded by the size of the flash; with a counter also one count, two images and one erase.
  /// Refuses  no_ledger on blank flash and after an interrupted create(), ledger_corrupt, ledger_foreign (another
  ///          geometry or version, or an image key is missing or unexpected), rolled_back, ledger_worn, flash_geometry,
  ///          short_buffer (the memory is too small for what is in flash).
  Status open(const Flash& flash, const LedgerHooks& hooks) noexcept { return start(flash, hooks, nullptr); }
  /// Makes memory of any content a closed ledger, as the constructor does, for the C API. Only `life` stays, so that the
  /// sessions of a ledger that was here before are recognised as stale.
  void lie_in(const LedgerMemory& memory) noexcept {
    occupancy_.end();
    image_ = memory.words;
    memory_bytes_ = memory.bytes < k_image_max_bytes ? memory.bytes : k_image_max_bytes;
    report_bytes_ = memory.report_bytes;
    hooks_ = nullptr;
  }
  /// What a new ledger is made of.
  struct Creation {
    const Policy& policy;
    const EntropySource& entropy;
  };
  /// create() and open() as one function, for a caller that chooses at run time: without a creation it opens.
  Status start(const Flash& flash, const LedgerHooks& hooks, const Creation* creation) noexcept;
  /// Wipes the memory. The flash is unchanged.
  void close() noexcept;

  /// Records consent. Withdrawing it erases the stored reports, so they are not sent again; the charges stay recorded.
  Status set_consent(bool on) noexcept;
  /// Replaces the caps by higher or lower ones, for example when the owner renews consent. What was spent stays
  /// recorded.
  Status set_policy(const Policy& policy) noexcept;
  /// Adds a study with its credential, or with a pseudonym alone.
  /// Refuses  needs_credential (pseudonym 0), study_exists (with any credential), study_removed, ledger_full.
  Status enrol(const Digest& digest, const Enrolment& enrolment) noexcept;
  /// Removes a study with its key and its stored report. Its digest stays in a line of 32 bytes and its spending in the
  /// total, so that it cannot be enrolled again and its rounds cannot be answered twice. Needs no consent. Sessions of
  /// other studies continue.
  /// Refuses  unknown_study, study_removed, ledger_full (255 studies have been removed).
  Status remove(const Digest& digest) noexcept;

  /// Begins a report: seeds the coins from `source`, then mixes in the ledger's secret, a hedge against a weak source,
  /// and replaces the secret by a new one, which is written with the next act (device/proofs/private_coins.md).
  /// Refuses  no_ledger, busy; what PrivateCoins::begin_report() refuses.
  Status seed(PrivateCoins& coins, const EntropySource& source) noexcept {
    return guarded([&] { return coins.begin_report(source, image().secret); });
  }

  // The life of an answer. Each call reads the study and the round of `answer`, and the other members that it names.

  /// Looks up the study by the answer's digest, and sets its pseudonym and has_key.
  /// Refuses  unknown_study.
  Status find_study(Answer& answer) noexcept { return act(answer, Act::find); }
  /// Whether charge() would be accepted: checks consent, round, number of answers and caps. Writes nothing.
  Status may_charge(Answer& answer) noexcept { return act(answer, Act::check); }
  /// Records the charge and syncs if a report of `bytes` fits; then returns the key to seal it with. The round numbers
  /// of a study only increase. All checks of may_charge() are made again.
  /// Cost     gated by toolchains/gates/counts.py.
  /// Refuses  consent_off, unknown_study, already_answered, spent_unsent, over_answers, over_study_cap, over_total_cap,
  ///          bad_report_size.
  Status charge(Answer& answer) noexcept { return act(answer, Act::charge); }
  /// Stores the sealed report and syncs; then it may be sent. Only for the charge that was just made through this
  /// object, with nothing written in between.
  /// Refuses  spent_unsent without such a charge, bad_report_size if the size is not the one that was charged.
  Status store(Answer& answer) noexcept { return act(answer, Act::store); }
  /// Copies the stored report of this round to `report`, which has room for `bytes`, and sets `bytes` to its size.
  /// Refuses  not_answered (this round has not been charged), already_answered, spent_unsent, consent_off,
  ///          short_buffer.
  Status stored_report(Answer& answer) noexcept { return act(answer, Act::resend); }
  /// Records that the report of this round has arrived; it is not sent again.
  /// Refuses  not_answered, already_answered (acknowledged before, or an older round), spent_unsent.
  Status acknowledge(Answer& answer) noexcept { return act(answer, Act::acknowledge); }

  /// The calls above as one function, for a caller that chooses among them at run time.
  enum class Act : std::uint8_t { find, check, charge, store, resend, acknowledge };
  Status act(Answer& answer, Act act) noexcept;

  [[nodiscard]] bool is_open() const noexcept { return hooks_ != nullptr; }
  /// Changes whenever the ledger is opened or created.
  [[nodiscard]] std::uint32_t life() const noexcept { return occupancy_.life; }
  /// Whether any of these bytes belongs to this object or to the memory of its image.
  [[nodiscard]] bool owns(const void* memory, std::size_t bytes) const noexcept {
    return overlap(memory, bytes, this, sizeof *this) || overlap(memory, bytes, image_, memory_bytes_);
  }
  // What the ledger has recorded. The functions return false, 0 or null if the ledger is not open, if a hook calls them
  // during another call, when the image may be incomplete, or if another object was closed over the same memory.

  [[nodiscard]] bool consent() const noexcept { return can_tell() && image().consent != 0; }
  [[nodiscard]] std::uint32_t studies() const noexcept { return can_tell() ? image().studies : 0; }
  /// What all studies have spent, including removed ones.
  [[nodiscard]] Charge total_spent() const noexcept;
  /// The ledger's record of a study, to show it to the owner: spending, latest round, state. Valid until the next call;
  /// null if the study is not enrolled.
  [[nodiscard]] const StudyEntry* study(const Digest& digest) const noexcept {
    return can_tell() && !is_lost() ? look_up(digest) : nullptr;
  }
  // Only for an open ledger.

  /// The size of the longest report that it can store.
  [[nodiscard]] std::uint32_t report_room() const noexcept { return image().entry_bytes - k_entry_bytes; }
  [[nodiscard]] const Policy& policy() const noexcept { return image().policy; }

 private:
  [[nodiscard]] bool can_tell() const noexcept { return is_open() && !occupancy_.is_busy(); }
  /// Whether the memory no longer holds the image that this object left there: another object was opened, used or closed
  /// over the same memory.
  [[nodiscard]] bool is_lost() const noexcept { return image().checksum != known_; }

  // guard.cpp: every public call on an open ledger runs between enter() and leave().
  template <class Body>
  Status guarded(Body body) noexcept {
    const Status status = enter(hooks_);
    return status == Status::ok ? leave(body()) : status;
  }
  Status protect(const LedgerHooks& hooks, Moment moment) noexcept;
  Status enter(const LedgerHooks* hooks) noexcept;
  Status leave(Status status) noexcept;

  // The image in memory.
  [[nodiscard]] ImageHead& image() const noexcept { return *reinterpret_cast<ImageHead*>(image_); }
  /// The offset of the first entry, after the header and the lines of removed studies.
  [[nodiscard]] std::uint32_t entries() const noexcept { return k_image_head_bytes + image().removed * k_line_bytes; }
  [[nodiscard]] bool was_removed(const Digest& digest) const noexcept;
  [[nodiscard]] StudyEntry& entry(std::uint32_t offset) const noexcept {
    return *reinterpret_cast<StudyEntry*>(reinterpret_cast<std::uint8_t*>(image_) + offset);
  }

  // flash_access.cpp: calls of the flash hooks. The first failure stays in fault_; nothing is written after it, and
  // leave() returns it.
  bool read(std::uint32_t address, void* out, std::uint32_t bytes) noexcept;
  void erase(std::uint32_t sector) noexcept;
  void synced(bool done) noexcept;
  [[nodiscard]] std::uint32_t used(std::uint32_t from, std::uint32_t to) noexcept;
  [[nodiscard]] bool load(std::uint32_t address, std::uint32_t bytes) noexcept;

  // commit.cpp: writing
  void put(std::uint32_t address) noexcept;
  void put_mark(std::uint32_t address) noexcept;
  [[nodiscard]] std::uint32_t mark(std::uint32_t address) noexcept;
  void program(std::uint32_t address, const void* data, std::uint32_t bytes) noexcept;
  void put_first() noexcept;
  /// Where the next image is written: after the newest one if it fits there, or into the next sector.
  enum class Place : std::uint8_t { behind, next_sector };
  void commit(std::uint32_t acts, Place place = Place::behind) noexcept;
  void erase_sector_before() noexcept;
  void settle(Moment moment) noexcept;

  // open.cpp, studies.cpp, answer.cpp
  Status make(const Creation& creation) noexcept;
  Status find() noexcept;
  Status newest(std::uint32_t& damaged) noexcept;
  [[nodiscard]] StudyEntry* look_up(const Digest& digest) const noexcept;
  Status pay(StudyEntry& study, Answer& answer, Act act) noexcept;

  Occupancy occupancy_;  // first, because the C API reads it before it constructs a ledger
  // Small members next: Cortex-M0 instructions reach a byte only near the beginning of an object.
  Status fault_ = Status::ok;
  std::uint64_t* image_;
  const Flash* flash_ = nullptr;
  const LedgerHooks* hooks_ = nullptr;   // null if the ledger is closed
  const StudyEntry* pending_ = nullptr;  // the study whose charge has no stored report yet
  std::uint32_t sector_ = 0;             // the sector with the newest image
  std::uint32_t newest_ = 0;             // the address of that image
  std::uint32_t next_ = 0, end_ = 0;     // address of the next image; address of the sector's marks
  std::uint32_t bytes_ = 0;              // of the image
  std::uint32_t memory_bytes_, report_bytes_;
  std::uint32_t known_ = 0;  // the checksum of the image when the last call ended
};
static_assert(sizeof(void*) > 4 || sizeof(Ledger) <= 60);

}  // namespace sotto

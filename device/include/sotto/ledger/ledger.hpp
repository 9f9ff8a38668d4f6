// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

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

/// What this device has spent, kept in flash so that no power cut buys a second draw (shared/spec/LEDGER.md).
///
/// The order is the caller's promise: charge() before the first coin of the randomizer, store() before the first byte leaves. After a
/// cut: no charge on record, start again; a charge without a stored report, `spent_unsent` for ever; a stored report, these bytes.
///
/// Every call may refuse with no_ledger (not open), busy, flash_fault, counter_fault or seal_fault (a hook failed), and one that
/// writes with ledger_in_use (another object wrote this flash, or it rots) and ledger_worn; all but the first two close the ledger,
/// and open() decides what is true. Memory: this object, 56 bytes on 32-bit cores, and the caller's for the image,
/// ledger_memory_bytes().
class Ledger {
 public:
  /// `life`: of the ledger that this memory held before, so that sessions of that one are known as such.
  explicit constexpr Ledger(const LedgerMemory& memory, std::uint32_t life = 0) noexcept
      : occupancy_{0, life},
        image_(memory.words),
        memory_bytes_(memory.bytes < k_image_max_bytes ? memory.bytes : k_image_max_bytes),
        report_bytes_(memory.report_bytes < k_report_max_bytes ? memory.report_bytes : k_report_max_bytes) {}
  template <std::uint32_t studies, std::uint32_t report_bytes>
  explicit constexpr Ledger(LedgerSpace<studies, report_bytes>& words) noexcept : Ledger(words.memory()) {}
  Ledger(const Ledger&) = delete;
  Ledger& operator=(const Ledger&) = delete;
  ~Ledger() noexcept { close(); }

  /// Writes the first ledger into blank flash and opens it, with consent off. An explicit act of the firmware. The device's
  /// secret is drawn from two seeds of `entropy`, before anything is written.
  /// Refuses  ledger_exists; ledger_corrupt where anything but an interrupted create() is found; entropy_not_ready,
  ///          entropy_fault; what open() refuses.
  Status create(const Flash& flash, const LedgerHooks& hooks, const Policy& policy,
                const EntropySource& entropy) noexcept {
    return start(flash, hooks, &policy, &entropy);
  }
  /// Finds the newest image in flash, finishes what a power cut interrupted, and checks every byte that counts.
  /// Cost     time bounded by the size of the flash; with a counter a count, two images and an erase.
  /// Refuses  no_ledger on blank flash and after an interrupted create(), ledger_corrupt, ledger_foreign (other geometry or
  ///          version, or a key where there was none, or none where there was one), rolled_back, ledger_worn, flash_geometry,
  ///          short_buffer (the memory is too small for what is in flash).
  Status open(const Flash& flash, const LedgerHooks& hooks) noexcept { return start(flash, hooks, nullptr, nullptr); }
  /// Wipes the memory. What is in flash stays.
  void close() noexcept;

  /// Withdrawing consent erases the stored reports from the flash and stops retransmission; the charges stay.
  Status set_consent(bool on) noexcept;
  /// New caps, higher or lower: a local act, for example when the owner renews consent. What was spent stays.
  Status set_policy(const Policy& policy) noexcept;
  /// Adds a study with its credential.
  /// Refuses  needs_credential (pseudonym 0), study_exists, whatever its credential; study_removed; ledger_full.
  Status enrol(const Digest& digest, const Credential& credential) noexcept;
  /// Takes a study out, with its key and its stored report, and keeps its name and what it spent: a line of 32 bytes, so that it
  /// is never enrolled once more and its rounds are not sold again. Needs no consent. Sessions of other studies go on.
  /// Refuses  unknown_study, study_removed, ledger_full (255 were removed).
  Status remove(const Digest& digest) noexcept;

  /// A hedge for the device's coins: stirs in the secret of the image, which is another one from now on; it is written with the
  /// next act.
  /// Refuses  no_ledger, busy: then nothing was stirred in, and nobody may draw as if it had.
  Status stir(PrivateCoins& coins) noexcept {
    return guarded([&] {
      coins.stir_secret(image().secret);
      return Status::ok;
    });
  }

  // The life of an answer. Each call looks at the answer's study and round, and at what else is named here.

  /// Finds the study of the answer's digest, and says its pseudonym and whether it has a key.
  /// Refuses  unknown_study.
  Status find_study(Answer& answer) noexcept { return act(answer, Act::find); }
  /// Would charge() be refused by consent, round, number of answers or caps? Writes nothing.
  Status may_charge(Answer& answer) noexcept { return act(answer, Act::check); }
  /// Records the charge and syncs, if a report of `bytes` has room; then gives the key to seal it with. Rounds of a study only
  /// rise. Everything that may_charge() asked is asked again here, where the money is taken.
  /// Cost     see the count gate.
  /// Refuses  consent_off, unknown_study, already_answered, spent_unsent, over_answers, over_study_cap, over_total_cap,
  ///          bad_report_size.
  Status charge(Answer& answer) noexcept { return act(answer, Act::charge); }
  /// Keeps the sealed report and syncs; then it may be sent. Only for the charge just made through this object: nothing else
  /// may have been written in between.
  /// Refuses  spent_unsent without such a charge, bad_report_size for another size than was charged.
  Status store(Answer& answer) noexcept { return act(answer, Act::store); }
  /// The bytes that were stored for this round, to send once more: copied to `report`, which has room for `bytes`; then `bytes`
  /// is their number.
  /// Refuses  not_answered (nobody charged this round yet), already_answered, spent_unsent, consent_off, short_buffer.
  Status stored_report(Answer& answer) noexcept { return act(answer, Act::resend); }
  /// The report of this round arrived: it is sent no more.
  /// Refuses  not_answered, already_answered (acknowledged before, or an older round), spent_unsent.
  Status acknowledge(Answer& answer) noexcept { return act(answer, Act::acknowledge); }

  [[nodiscard]] bool is_open() const noexcept { return hooks_ != nullptr; }
  /// Rises whenever the ledger is opened or created.
  [[nodiscard]] std::uint32_t life() const noexcept { return occupancy_.life; }
  /// Is any of these bytes the ledger's own, or of the memory for its image?
  [[nodiscard]] bool owns(const void* memory, std::size_t bytes) const noexcept {
    return overlap(memory, bytes, this, sizeof *this) || overlap(memory, bytes, image_, memory_bytes_);
  }
  [[nodiscard]] bool consent() const noexcept { return is_open() && image().consent != 0; }
  [[nodiscard]] std::uint32_t studies() const noexcept { return is_open() ? image().studies : 0; }
  /// By all studies, those that were removed too.
  [[nodiscard]] Charge total_spent() const noexcept;
  /// What the ledger knows of a study, to show it to the owner: spend, latest round, state. Until the next call; or none.
  [[nodiscard]] const StudyEntry* study(const Digest& digest) const noexcept {
    return is_open() ? look_up(digest) : nullptr;
  }
  // Of an open ledger.
  /// The longest report that it keeps.
  [[nodiscard]] std::uint32_t report_room() const noexcept { return image().entry_bytes - k_entry_bytes; }
  [[nodiscard]] const Policy& policy() const noexcept { return image().policy; }

 private:
  // guard.cpp: every public call on an open ledger stands between enter() and leave().
  template <class Body>
  Status guarded(Body body) noexcept {
    const Status status = enter(hooks_);
    return status == Status::ok ? leave(body()) : status;
  }
  Status enter(const LedgerHooks* hooks) noexcept;
  Status leave(Status status) noexcept;

  // The image in memory.
  [[nodiscard]] ImageHead& image() const noexcept { return *reinterpret_cast<ImageHead*>(image_); }
  /// Where the entries begin: behind the head and the names of the studies that were removed.
  [[nodiscard]] std::uint32_t entries() const noexcept { return k_image_head_bytes + image().removed * k_line_bytes; }
  [[nodiscard]] bool was_removed(const Digest& digest) const noexcept;
  [[nodiscard]] StudyEntry& entry(std::uint32_t offset) const noexcept {
    return *reinterpret_cast<StudyEntry*>(reinterpret_cast<std::uint8_t*>(image_) + offset);
  }

  // flash_access.cpp: the hooks. The first failure sticks in fault_; nothing is written after it, and leave() returns it.
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
  enum class Place : std::uint8_t { behind, next_sector };  ///< of the next image: behind the newest if there is room
  void commit(std::uint32_t acts, Place place = Place::behind) noexcept;
  void erase_sector_before() noexcept;
  Status settle(Settle what) noexcept;

  // open.cpp, studies.cpp, answer.cpp
  Status start(const Flash& flash, const LedgerHooks& hooks, const Policy* policy,
               const EntropySource* entropy) noexcept;
  Status make(const Policy& policy, const EntropySource& entropy) noexcept;
  Status find() noexcept;
  Status newest(std::uint32_t& damaged) noexcept;
  [[nodiscard]] StudyEntry* look_up(const Digest& digest) const noexcept;
  enum class Act : std::uint8_t { find, check, charge, store, resend, acknowledge };
  Status act(Answer& answer, Act act) noexcept;
  Status pay(StudyEntry& study, Answer& answer, Act act) noexcept;

  Occupancy occupancy_;  // first: the C API looks for it
  // Small fields next: Cortex-M0 reaches a byte in one instruction only near the beginning.
  Status fault_ = Status::ok;
  std::uint64_t* image_;
  const Flash* flash_ = nullptr;
  const LedgerHooks* hooks_ = nullptr;   // of an open ledger
  const StudyEntry* pending_ = nullptr;  // whose charge waits for its report
  std::uint32_t sector_ = 0;             // the one with the newest image
  std::uint32_t newest_ = 0;             // where that image stands
  std::uint32_t next_ = 0, end_ = 0;     // where the next one goes, and where the marks of the sector begin
  std::uint32_t bytes_ = 0;              // of the image
  std::uint32_t memory_bytes_, report_bytes_;
};
static_assert(sizeof(void*) > 4 || sizeof(Ledger) <= 56);

}  // namespace sotto

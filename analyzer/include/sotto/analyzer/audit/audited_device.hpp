// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A device that answers one pair again and again: ledger, session, question and randomizer as a firmware runs them,
/// with flash in memory. Freestanding.

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>

#include "sotto/analyzer/audit/asked_pair.hpp"
#include "sotto/session/session.hpp"

namespace sotto::analyzer::audit {

/// Names of private members that an audit has to reach: the coins of a session, their words, and how many are left.
/// An explicit instantiation may name them, so that the library needs no door for it.
namespace within {

struct Coins {
  using Member = PrivateCoins Session::*;
  friend Member member_of(Coins);
};
struct Words {
  using Member = std::uint32_t (PrivateCoins::*)[16];
  friend Member member_of(Words);
};
struct Left {
  using Member = std::uint32_t PrivateCoins::*;
  friend Member member_of(Left);
};
template <class Name, typename Name::Member member>
struct Open {
  friend typename Name::Member member_of(Name) { return member; }
};
template struct Open<Coins, &Session::coins_>;
template struct Open<Words, &PrivateCoins::key_and_words_>;
template struct Open<Left, &PrivateCoins::left_>;

}  // namespace within

/// Copies memory word by word, as a flash driver would; emulated boards copy bytes otherwise.
inline void copy_words(void* to, const void* from, std::size_t bytes) noexcept {
  using Word = std::uint32_t __attribute__((may_alias));
  auto* const out = static_cast<Word*>(__builtin_assume_aligned(to, sizeof(Word)));
  const auto* const in = static_cast<const Word*>(__builtin_assume_aligned(from, sizeof(Word)));
  for (std::size_t i = 0; i < bytes / sizeof(Word); ++i) out[i] = in[i];
}

/// Two sectors of flash that are plain memory.
class AuditFlash {
 public:
  static constexpr std::uint32_t k_sector_bytes = 1280;  // so that a report needs no erase
  AuditFlash() noexcept { __builtin_memset(memory_, 0xff, sizeof memory_); }
  [[nodiscard]] Flash flash() noexcept { return {this, read, program, erase, sync, {k_sector_bytes, 2, 4, 0xff}}; }

 private:
  static std::uint8_t* at(void* self, std::uint32_t address) noexcept {
    return static_cast<AuditFlash*>(self)->memory_ + address;
  }
  static bool read(void* self, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) {
    __builtin_memcpy(out, at(self, address), bytes);
    return true;
  }
  static bool program(void* self, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) {
    copy_words(at(self, address), data, bytes);  // a multiple of the program unit, which is a word
    return true;
  }
  static bool erase(void* self, std::uint32_t sector) {
    __builtin_memset(at(self, sector * k_sector_bytes), 0xff, k_sector_bytes);
    return true;
  }
  static bool sync(void*) { return true; }

  alignas(8) std::uint8_t memory_[2 * k_sector_bytes];
};

/// The device. Everything that it remembers lies in one piece of memory, of which a copy is kept when the study is
/// open: each run begins with that copy, as a reset to a snapshot would, and differs from others in its entropy only.
class AuditedDevice {
 public:
  static constexpr std::uint32_t k_report_bytes = 128, k_short_report_bytes = 24, k_work_bytes = 3072;

  AuditedDevice() noexcept = default;
  AuditedDevice(const AuditedDevice&) = delete;
  AuditedDevice& operator=(const AuditedDevice&) = delete;

  /// A new device with these caps, which agrees to the study, enrols and opens it. Pair and entropy must outlive it.
  /// Refuses  what the ledger and the session refuse.
  Status begin(const QuestionStem& which, AskedPair& pair, const EntropySource& entropy, EpsilonNano cap) noexcept {
    pair_ = &pair;
    questions_[0] = which.asked;
    hooks_ = {};
    hooks_.entropy = entropy;
    hooks_.questions = questions_;
    machine_.~Machine();
    new (&machine_) Machine(which.is_gaussian ? k_report_bytes : k_short_report_bytes);
    flash_ = machine_.memory.flash();
    // Twice the study's delta, so that epsilon is what a cap refuses.
    const Charge most{cap, 2 * pair.manifest.delta};
    if (const Status s = machine_.ledger.create(flash_, ledger_hooks_, {most, most}, entropy); s != Status::ok)
      return s;
    if (const Status s = machine_.ledger.set_consent(true); s != Status::ok) return s;
    const Credential credential{k_audit_pseudonym, {}, false};
    if (const Status s = machine_.ledger.enrol(pair.digest, credential); s != Status::ok) return s;
    if (const Status s = machine_.session.open(pair.manifest_bytes(), machine_.ledger, hooks_); s != Status::ok)
      return s;
    copy_words(saved_, &machine_, sizeof machine_);
    return Status::ok;
  }

  /// Back to where begin() ended.
  void restart() noexcept { copy_words(&machine_, saved_, sizeof machine_); }

  /// Computes the answer of the first or second data set to round 1 or 2.
  Status prepare(std::uint16_t round, bool first) noexcept {
    return machine_.session.prepare(pair_->round_bytes(round), pair_->local(first), work_);
  }
  /// The words that the coins of the prepared answer give next, eight of them, in place of random ones; what follows is
  /// the same each time.
  void plant(const std::uint32_t (&words)[8]) noexcept {
    PrivateCoins& coins = machine_.session.*member_of(within::Coins{});
    std::uint32_t(&memory)[16] = coins.*member_of(within::Words{});
    for (std::uint32_t i = 0; i < 8; ++i) {
      memory[i] = 0x9e3779b9u * (i + 1);  // the key of all later words
      memory[8 + i] = words[i];
    }
    coins.*member_of(within::Left{}) = 8;
  }
  /// Charges, draws, stores: the report.
  Status send() noexcept { return machine_.session.send(out_, bytes_); }
  [[nodiscard]] std::span<const std::uint8_t> report() const noexcept { return std::span{out_}.first(bytes_); }

 private:
  struct Machine {
    explicit Machine(std::uint32_t report_bytes) noexcept : ledger({space.words, sizeof space.words, report_bytes}) {}
    AuditFlash memory;
    LedgerSpace<1, k_report_bytes> space;
    Ledger ledger;
    Session session;
  };

  AskedPair* pair_ = nullptr;
  const Question* questions_[1] = {};
  SessionHooks hooks_;
  LedgerHooks ledger_hooks_;
  Flash flash_{};
  Machine machine_{k_report_bytes};
  alignas(8) unsigned char saved_[sizeof(Machine)] = {};
  alignas(8) std::byte work_[k_work_bytes] = {};
  std::uint8_t out_[k_report_bytes] = {};
  std::size_t bytes_ = 0;
};

}  // namespace sotto::analyzer::audit

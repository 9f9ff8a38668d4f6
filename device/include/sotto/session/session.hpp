// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/coins/entropy.hpp"
#include "sotto/ledger/ledger.hpp"
#include "sotto/session/question.hpp"
#include "sotto/session/verify.hpp"
#include "sotto/wire/report.hpp"

namespace sotto {

/// What a session needs beside the ledger. Only entropy and questions are required.
struct SessionHooks {
  EntropySource entropy;
  std::span<const Question* const> questions;  ///< that this firmware answers
  VerifyHook verify;
  AeadHook aead;
  bool time_observed = false;  ///< others can watch how long a call takes: questions whose time varies are refused
};

/// Decodes a manifest, asks the verify hook, and names the study. What every way into a study begins with.
/// Refuses  what decode_manifest() refuses; bad_signature.
Status load_study(const std::span<const std::uint8_t>& bytes, const SessionHooks& hooks, Manifest& manifest,
                  Digest& study) noexcept;

/// Enrols the study of a manifest that the verify hook vouches for, with the credential that was issued for this device.
/// Refuses  what decode_manifest() refuses; bad_signature; needs_credential (no key, or pseudonym 0); what Ledger::enrol() refuses.
Status enrol(Ledger& ledger, const std::span<const std::uint8_t>& manifest, const Credential& credential,
             const SessionHooks& hooks) noexcept;
/// The same for a study that needs no credential, under a pseudonym from the entropy hook and the ledger's secret. Whoever
/// chooses a pseudonym chooses its public coins, so results of such a study carry a warning.
/// Refuses  also what PrivateCoins::begin_report() refuses.
Status enrol_plain(Ledger& ledger, const std::span<const std::uint8_t>& manifest, const SessionHooks& hooks) noexcept;

/// From samples to the bytes to send, in the one safe order:
///   1 check manifest, round, policy, work space, entropy (may refuse; reads no sample)
///   2 compute the local answer (cannot refuse)          -- prepare() ends here
///   3 record the charge, sync
///   4 draw, encode, seal
///   5 store the sealed bytes, sync
///   6 return them                                       -- send() ends here
/// After a power cut: no charge on record, start again; a charge without a stored report, spent_unsent for ever; a stored
/// report, the same bytes. `ok` says nothing about the data: it covers clipped, not converged and nothing to say.
///
/// prepare() and answer() refuse before a sample is read and before a coin is drawn; send() asks the ledger once more, before
/// anything is charged. (Step 2 of some questions draws coins too, to pick a record, a block or a cell. What they picked is wiped
/// when the charge is refused: it never left.)
///
/// A session serves one study at a time, of a ledger that stays open: after the ledger was opened anew every call is refused as
/// stale_session until the session is opened again. A hook that calls back into its session is refused as reentered. Manifest
/// bytes, ledger and hooks outlive it. A new one is all zeros, like a new ledger: `constinit Session session;` needs no code at
/// start-up.
class Session {
 public:
  constexpr Session() noexcept = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() noexcept { close(); }

  /// Decodes the manifest, hashes it, and finds the study in the ledger. `hooks` must outlive the session.
  /// Refuses  what decode_manifest() refuses; bad_signature; unknown_study (enrol it first); needs_credential; reentered.
  Status open(const std::span<const std::uint8_t>& manifest, Ledger& ledger, const SessionHooks& hooks) noexcept;
  /// Wipes coins, their key and the answer, of a stale session too. Called by a hook of this session it does nothing.
  void close() noexcept;

  /// Steps 1 and 2. The round's bytes and `work` must stay until send(). For a round that was answered and whose report is
  /// stored, prepare() computes nothing and send() gives the stored bytes.
  /// Refuses  what decode_round(), the question's check, the ledger's caps and the entropy hook refuse; foreign_study,
  ///          unsupported_question, not_in_cohort, time_observed, over_answers; overlapping_buffers (`work` lies over the round,
  ///          the manifest, the session or the ledger); not_prepared (no study is open), stale_session, reentered.
  Status prepare(const std::span<const std::uint8_t>& round, const LocalData& local,
                 const std::span<std::byte>& work) noexcept;
  /// Steps 3 to 6.
  /// Refuses  not_prepared, stale_session, reentered; short_buffer, overlapping_buffers (`out` lies over the work space or what
  ///          prepare() names); work_space_lost (another session prepared in this work space, or the caller wrote there); what
  ///          Ledger::charge() refuses. All of these charge nothing. seal_fault; what Ledger::store() refuses.
  Status send(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept;
  /// prepare() and send(); `out` is checked before the first sample is read.
  Status answer(const std::span<const std::uint8_t>& round, const LocalData& local, const std::span<std::byte>& work,
                const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept;
  /// The collector has the report of this round.
  /// Refuses  not_prepared, stale_session, reentered; what Ledger::acknowledge() refuses.
  Status acknowledge(std::uint16_t round) noexcept;

  [[nodiscard]] bool is_open() const noexcept { return step_ != Step::closed; }
  /// Of an open session.
  [[nodiscard]] const Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] const Digest& study_digest() const noexcept { return context_.study; }
  [[nodiscard]] std::uint64_t pseudonym() const noexcept { return step_ == Step::closed ? 0 : answer_.pseudonym; }
  /// When to send, as a fraction of the study's sending window in 2^-32: public, and the same however long the answer took.
  [[nodiscard]] std::uint32_t slot(std::uint16_t round) const noexcept;

 private:
  enum class Step : std::uint8_t { closed, open, prepared, stored };
  template <class Body>
  Status guarded(Body body) noexcept;
  Status enter() noexcept;
  Status begin(const std::span<const std::uint8_t>& manifest) noexcept;
  Status get_ready(const std::span<const std::uint8_t>& round, const LocalData& local, const std::span<std::byte>& work,
                   const std::span<std::uint8_t>* out) noexcept;
  [[gnu::always_inline]] Status check_question(const Asked& asked) noexcept;
  Status check_out(const std::span<std::uint8_t>& out) noexcept;
  [[nodiscard]] bool reads_from(const void* memory, std::size_t bytes) const noexcept;
  Status finish(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept;
  [[gnu::always_inline]] Status pay_and_draw() noexcept;
  void forget_answer() noexcept;
  /// What the question is told, all of it from this object.
  [[nodiscard]] Asked asked() const noexcept;
  /// Of a work space that is long enough.
  [[nodiscard]] WorkTag& work_tag() const noexcept { return *reinterpret_cast<WorkTag*>(work_.data()); }

  Occupancy occupancy_;  // first: the C API looks for it
  // What is often used next: Cortex-M0 reaches no further than 31 bytes and 31 words in one instruction.
  Step step_ = Step::closed;
  Ledger* ledger_ = nullptr;
  const SessionHooks* hooks_ = nullptr;
  const Question* question_ = nullptr;
  bool mapped_ = false;  // rows of samples lie in memory
  AnswerPlan plan_;
  std::span<std::byte> work_;  // the caller's memory, from its first multiple of 8 on
  Answer answer_;
  Round round_;
  Manifest manifest_;
  PrivateCoins coins_;
  ReportContext context_;
};

}  // namespace sotto

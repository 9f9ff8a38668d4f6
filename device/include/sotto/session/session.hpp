// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Answers the rounds of one study: checks the round, computes the local answer, charges the ledger, randomizes, seals
/// and stores the report. This is the C++ interface that a firmware uses; sotto.h wraps it for C. The order of the
/// steps is fixed here, so that no power cut, refusal or hook can produce a second report from fresh randomness.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/coins/entropy.hpp"
#include "sotto/ledger/ledger.hpp"
#include "sotto/session/clock.hpp"
#include "sotto/session/question.hpp"
#include "sotto/session/verify.hpp"
#include "sotto/wire/report.hpp"

namespace sotto {

/// What a session needs besides the ledger. Entropy and questions are required, the rest is optional.
struct [[gnu::may_alias]] SessionHooks {
  EntropySource entropy;
  std::span<const Question* const> questions;  ///< those that this firmware answers
  VerifyHook verify;
  AeadHook aead;
  const Clock* clock = nullptr;
  bool time_observed = false;  ///< others can measure how long a call takes: questions of varying duration are refused
};

/// Where a device stands in a round.
enum class RoundState : std::uint8_t {
  free = 0,          ///< not answered; it may be
  kept = 1,          ///< answered, the report is stored
  acknowledged = 2,  ///< answered, and the server has the report
  lost = 3,          ///< charged, and the report was lost: spent_unsent
  passed = 4,        ///< a later round was answered; of an older one the ledger keeps no more
  over = 5,          ///< the device has given all answers that the study asks of it
};

/// What a round asks, and of whom. Nothing in it is private.
struct [[gnu::may_alias]] RoundInfo {
  RoundTimes times;           ///< zeros if the round has none
  std::uint64_t send_at = 0;  ///< this device's time between them; 0 if the round has none
  std::uint16_t number = 0;
  QuestionKind question{};
  std::uint8_t cohort = 0;  ///< k_every_cohort: all
  RoundState state{};
  bool is_for_this_device = false;
};

/// Decodes a manifest, checks it with the verify hook and computes the study's digest. Enrolment and sessions begin
/// with this.
/// Refuses  what decode_manifest() refuses; bad_signature.
Status load_study(const std::span<const std::uint8_t>& bytes, const SessionHooks& hooks, Manifest& manifest,
                  Digest& study) noexcept;

/// Enrols the study of a manifest that passes the verify hook, with the credential that was issued to this device.
/// Refuses  what decode_manifest() refuses; bad_signature; needs_credential (no key, or pseudonym 0); what
///          Ledger::enrol() refuses.
Status enrol(Ledger& ledger, const std::span<const std::uint8_t>& manifest, const Enrolment& enrolment,
             const SessionHooks& hooks) noexcept;
/// Enrols a study that needs no credential. The pseudonym is drawn from the entropy hook and the ledger's secret. A
/// device that chooses its pseudonym also chooses its public coins, so the results of such a study carry a warning.
/// Refuses  also what PrivateCoins::begin_report() refuses.
Status enrol_plain(Ledger& ledger, const std::span<const std::uint8_t>& manifest, const SessionHooks& hooks) noexcept;

/// Answers rounds, in the only order of steps that is safe:
///   1 check manifest, round, policy, work space and entropy (may refuse; reads no sample)
///   2 compute the local answer (cannot refuse); prepare() ends here
///   3 record the charge in flash, sync
///   4 randomize, encode, seal
///   5 store the sealed report in flash, sync
///   6 return its bytes; send() ends here
///
/// After a power cut, a round without a recorded charge starts again; a round that was charged but has no stored report
/// is spent_unsent for ever; a stored report is returned as the same bytes. `ok` reveals nothing about the data: it is
/// also returned if the answer was clipped, a solver did not converge, or there was nothing to say.
///
/// prepare() and answer() refuse before a sample is read and before a random bit is drawn. send() checks with the
/// ledger again before it charges. (In step 2 some questions draw random bits to pick a record, a block or a cell. The
/// pick is wiped if the charge is refused, so it never leaves the device.)
///
/// A session serves one study at a time. After its ledger has been opened again, every call is refused as stale_session
/// until the session is opened again. A hook that calls back into its session is refused as reentered. Manifest bytes,
/// ledger and hooks must outlive the session. A new session is all zeros, as a new ledger is, so `constinit Session
/// session;` needs no code at start-up.
class Session {
 public:
  constexpr Session() noexcept = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() noexcept { close(); }

  /// Decodes the manifest, hashes it, and looks up the study in the ledger. `hooks` must outlive the session.
  /// Refuses  what decode_manifest() refuses; bad_signature; unknown_study (enrol it first); needs_credential;
  ///          reentered.
  Status open(const std::span<const std::uint8_t>& manifest, Ledger& ledger, const SessionHooks& hooks) noexcept;
  /// The same for a new session, which is all zeros; for the C API, which zeroes the memory that it is given.
  Status open_new(const std::span<const std::uint8_t>& manifest, Ledger& ledger, const SessionHooks& hooks) noexcept;
  /// Wipes the random bits, their key and the local answer, even of a stale session. Does nothing if a hook of this
  /// session calls it.
  void close() noexcept;

  /// The bytes of work space with which prepare() and answer() take this round, wherever they start; `mapped` is whether
  /// the rows are in memory. Draws nothing and charges nothing. Forgets an answer that was prepared.
  /// Refuses  what prepare() refuses, except for what the ledger, the buffers and the entropy hook refuse.
  Status work_bytes(const std::span<const std::uint8_t>& round, bool mapped, std::size_t& bytes) noexcept;

  /// Steps 1 and 2. The round's bytes and `work` must stay unchanged until send(). If the report of this round is
  /// already stored, prepare() computes nothing and send() returns the stored bytes.
  /// Refuses  what decode_round(), the question's check, the ledger's caps and the entropy hook refuse; foreign_study,
  ///          unsupported_question, not_in_cohort, time_observed, over_answers; what the clock refuses; overlapping_buffers (`work` overlaps
  ///          the round, the manifest, the session or the ledger); not_prepared (no study is open), stale_session,
  ///          reentered.
  Status prepare(const std::span<const std::uint8_t>& round, const LocalData& local,
                 const std::span<std::byte>& work) noexcept;
  /// Steps 3 to 6.
  /// Refuses  without a charge: not_prepared, stale_session, reentered, short_buffer, overlapping_buffers (`out`
  ///          overlaps the work space or one of the buffers that prepare() names), work_space_lost (another session
  ///          prepared in this work space, or the caller wrote to it), what Ledger::charge() refuses. After the charge:
  ///          seal_fault, what Ledger::store() refuses.
  Status send(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept;
  /// prepare() and send() in one call; `out` is checked before the first sample is read.
  Status answer(const std::span<const std::uint8_t>& round, const LocalData& local, const std::span<std::byte>& work,
                const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept;
  /// The server has the report of this round.
  /// Refuses  not_prepared, stale_session, reentered; what Ledger::acknowledge() refuses.
  Status acknowledge(std::uint16_t round) noexcept;

  /// What a round asks and where this device stands in it, without answering it: reads no sample, draws nothing, asks no
  /// verify hook, writes nothing.
  /// Refuses  what decode_round() refuses; bad_field (times); foreign_study; not_prepared, stale_session; unknown_study
  ///          (removed since, or a hook asks).
  Status about(const std::span<const std::uint8_t>& round, RoundInfo& out) const noexcept;

  [[nodiscard]] bool is_open() const noexcept { return step_ != Step::closed; }
  /// Only for an open session.
  [[nodiscard]] const Manifest& manifest() const noexcept { return asked_.manifest; }
  [[nodiscard]] const Digest& study_digest() const noexcept { return context_.study; }
  [[nodiscard]] std::uint64_t pseudonym() const noexcept { return step_ == Step::closed ? 0 : answer_.pseudonym; }
  /// When to send the report, as a fraction of the study's sending window in units of 2^-32. It is public, and
  /// independent of how long the answer took.
  [[nodiscard]] std::uint32_t slot(std::uint16_t round) const noexcept;

 private:
  enum class Step : std::uint8_t { closed, open, prepared, stored };
  template <class Body>
  Status guarded(Body body) noexcept;
  Status enter() noexcept;
  Status ask_ledger(Ledger::Act act) noexcept;
  Status begin(const std::span<const std::uint8_t>& manifest) noexcept;
  Status get_ready(const std::span<const std::uint8_t>& round, const LocalData& local, const std::span<std::byte>& work,
                   const std::span<std::uint8_t>* out) noexcept;
  Status read_round(const std::span<const std::uint8_t>& round, bool mapped) noexcept;
  Status check_question() noexcept;
  Status check_round() noexcept;
  Status check_out(const std::span<std::uint8_t>& out) noexcept;
  [[nodiscard]] bool reads_from(const void* memory, std::size_t bytes) const noexcept;
  Status finish(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept;
  [[gnu::noinline]] Status pay_and_draw() noexcept;
  void forget() noexcept;
  void forget_answer() noexcept;
  /// The work space must be long enough for it.
  [[nodiscard]] WorkTag& work_tag() const noexcept { return *reinterpret_cast<WorkTag*>(asked_.work.data()); }

  Occupancy occupancy_;  // first, because the C API reads it before it constructs a session
  // Often used members come next: Cortex-M0 instructions reach only the first 31 bytes and words of an object.
  Step step_ = Step::closed;
  Ledger* ledger_ = nullptr;
  const SessionHooks* hooks_ = nullptr;
  const Question* question_ = nullptr;
  Answer answer_;
  Asked asked_;
  PrivateCoins coins_;
  ReportContext context_;
};

}  // namespace sotto

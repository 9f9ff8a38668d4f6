// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/entropy.hpp"
#include "sotto/ledger/ledger.hpp"
#include "sotto/session/question.hpp"
#include "sotto/wire/report.hpp"

namespace sotto {

/// Who vouches for a manifest or a round: false refuses it as bad_signature. Without the hook the firmware must have linked the
/// manifest in, or received it and its rounds over a channel that it trusts.
struct VerifyHook {
  void* context = nullptr;
  bool (*verify)(void* context, const std::uint8_t* body, std::size_t body_bytes, const std::uint8_t* signature,
                 std::size_t signature_bytes) = nullptr;
};

/// What a session needs beside the ledger. Only entropy and questions are required.
struct SessionHooks {
  EntropySource entropy;
  std::span<const Question* const> questions;  ///< that this firmware answers
  VerifyHook verify;
  AeadHook aead;
  bool time_observed = false;  ///< others can watch how long a call takes: questions whose time varies are refused
};

/// Enrols a study that needs no credential, under a pseudonym from the entropy hook. Whoever chooses a pseudonym chooses its
/// public coins, so results of such a study carry a warning.
/// Refuses  what PrivateCoins::begin_report() and Ledger::enrol() refuse.
Status enrol_plain(Ledger& ledger, const Digest& study, const EntropySource& entropy) noexcept;

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
/// A session serves one study at a time. Manifest bytes, ledger and hooks outlive it. A new one is all zeros, like a new ledger:
/// `constinit Session session;` needs no code at start-up.
class Session {
 public:
  constexpr Session() noexcept = default;
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() noexcept { close(); }

  /// Decodes the manifest, hashes it, and finds the study in the ledger. `hooks` must outlive the session.
  /// Refuses  what decode_manifest() refuses; bad_signature; unknown_study (enrol it first); needs_credential.
  Status open(const std::span<const std::uint8_t>& manifest, Ledger& ledger, const SessionHooks& hooks) noexcept;
  /// Wipes keys, coins and answer.
  void close() noexcept;

  /// Steps 1 and 2. The round's bytes and `work` must stay until send(). For a round that was answered and whose report is
  /// stored, prepare() computes nothing and send() gives the stored bytes.
  /// Refuses  what decode_round(), the question's check, the ledger's caps and the entropy hook refuse; foreign_study,
  ///          unsupported_question, not_in_cohort, time_observed, over_answers.
  Status prepare(const std::span<const std::uint8_t>& round, const LocalData& local,
                 const std::span<std::byte>& work) noexcept;
  /// Steps 3 to 6.
  /// Refuses  not_prepared; short_buffer (nothing is charged); what Ledger::charge() and Ledger::store() refuse; seal_fault.
  Status send(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept;
  /// prepare() and send().
  Status answer(const std::span<const std::uint8_t>& round, const LocalData& local, const std::span<std::byte>& work,
                const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept;
  /// The collector has the report of this round.
  Status acknowledge(std::uint16_t round) noexcept;

  [[nodiscard]] bool is_open() const noexcept { return step_ != Step::closed; }
  /// Of an open session.
  [[nodiscard]] const Manifest& manifest() const noexcept { return manifest_; }
  [[nodiscard]] const Digest& study_digest() const noexcept { return context_.study; }
  [[nodiscard]] std::uint64_t pseudonym() const noexcept {
    return step_ == Step::closed ? 0 : answer_.study->pseudonym;
  }
  /// When to send, as a fraction of the study's sending window in 2^-32: public, and the same however long the answer took.
  [[nodiscard]] std::uint32_t slot(std::uint16_t round) const noexcept;

 private:
  enum class Step : std::uint8_t { closed, open, prepared, stored };
  [[gnu::always_inline]] Status check_question() noexcept;
  [[gnu::always_inline]] Status pay_and_draw() noexcept;
  void forget_answer() noexcept;
  /// Manifest and round begin with these.
  [[nodiscard]] bool vouched(const std::span<const std::uint8_t> body_and_signature[2]) const noexcept;
  /// From prepare() on.
  [[nodiscard]] Asked& asked() noexcept { return *reinterpret_cast<Asked*>(asked_); }

  // What is often used first: Cortex-M0 reaches no further than 31 bytes and 31 words in one instruction.
  Step step_ = Step::closed;
  Ledger* ledger_ = nullptr;
  const SessionHooks* hooks_ = nullptr;
  const Question* question_ = nullptr;
  alignas(Asked) std::byte asked_[sizeof(Asked)] = {};  // memory for it, because a new session is all zeros
  AnswerPlan plan_;
  Answer answer_;
  alignas(4) ReportContext context_;
  PrivateCoins coins_;
  Manifest manifest_;
  Round round_;
};

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/session/session.hpp"

#include "../ledger/charge_sum.hpp"
#include "sotto/local/workspace.hpp"
#include "sotto/wide.hpp"
#include "sotto/wipe.hpp"

namespace sotto {
namespace {

[[nodiscard]] bool vouched(const VerifyHook& hook, const std::span<const std::uint8_t>& body,
                           const std::span<const std::uint8_t>& signature) noexcept {
  return hook.verify == nullptr ||
         hook.verify(hook.context, body.data(), body.size(), signature.data(), signature.size());
}

[[nodiscard]] const Question* find(const std::span<const Question* const>& questions, QuestionKind kind) noexcept {
  for (const Question* q : questions) {
    if (q->kind == kind) return q;
  }
  return nullptr;
}

}  // namespace

Status Session::open(const std::span<const std::uint8_t>& manifest, Ledger& ledger,
                     const SessionHooks& hooks) noexcept {
  close();
  if (const Status s = decode_manifest(manifest, manifest_); s != Status::ok) return s;
  if (!vouched(hooks.verify, manifest_.body, manifest_.signature)) return Status::bad_signature;
  sha256(manifest_.body, study_digest_);
  if (const Status s = ledger.study(study_digest_, entry_); s != Status::ok) return s;
  if (entry_.facts.pseudonym == 0 || (manifest_.authenticated && entry_.facts.has_credential == 0))
    return Status::needs_credential;
  price_ = {manifest_.epsilon, manifest_.delta};
  ledger_ = &ledger;
  hooks_ = &hooks;
  step_ = Step::open;
  return Status::ok;
}

void Session::close() noexcept {
  forget_answer();
  step_ = Step::closed;
}

// The answer and the certified spec lie in the caller's memory; coins lie here.
void Session::forget_answer() noexcept {
  const std::size_t used = plan_.kept_bytes + plan_.scratch_bytes;
  if (step_ == Step::prepared) wipe(work_.data(), used);
  coins_.end_report();
  if (step_ != Step::closed) step_ = Step::open;
}

Asked Session::asked() const noexcept {
  const CoinLabel label{manifest_.seed, entry_.facts.pseudonym, round_.number};
  return {manifest_, round_, label, work_, ledger_->policy().per_study.epsilon, mapped_};
}

Status Session::check_round(const std::span<const std::uint8_t>& bytes) noexcept {
  if (const Status s = decode_round(bytes, round_); s != Status::ok) return s;
  // By hand: about memcmp() GCC warns when it sees a whole program whose round is empty, though such a round was refused above.
  std::uint32_t differs = 0;
  for (std::size_t i = 0; i < study_digest_.size(); ++i) differs |= std::uint32_t{round_.study[i]} ^ study_digest_[i];
  if (differs != 0) return Status::foreign_study;
  if (!vouched(hooks_->verify, round_.body, round_.signature)) return Status::bad_signature;
  const Status allowed = ledger_->may_charge(entry_, round_.number, price_);
  if (allowed == Status::already_answered && entry_.facts.state == StudyState::stored &&
      entry_.facts.round == round_.number) {
    step_ = Step::stored;
    return Status::ok;
  }
  return allowed == Status::ok ? check_question() : allowed;
}

Status Session::check_question() noexcept {
  question_ = find(hooks_->questions, round_.question);
  if (question_ == nullptr || !may_ask(manifest_, round_.question)) return Status::unsupported_question;
  // Of all stems only this one takes time that depends on its noise and values.
  if (round_.stem == Stem::gaussian && hooks_->time_observed) return Status::time_observed;
  if (round_.cohort != k_every_cohort && round_.cohort != cohort_of(manifest_, entry_.facts.pseudonym))
    return Status::not_in_cohort;
  // Spend counts the answers: all of a study cost the same. At most 12e9 * 65535, below 2^50; epsilon's upper half is 2 or less.
  const auto upper = static_cast<std::uint32_t>(manifest_.epsilon >> 32) * manifest_.answers;
  const EpsilonNano most =
      multiply_32(static_cast<std::uint32_t>(manifest_.epsilon), manifest_.answers) + (std::uint64_t{upper} << 32);
  if (exceeds(entry_.facts.spent.epsilon, manifest_.epsilon, most)) return Status::over_answers;
  plan_ = {};
  if (const Status s = question_->check(asked(), plan_); s != Status::ok) return s;
  if (plan_.kept_bytes + plan_.scratch_bytes > work_.size()) return Status::short_buffer;
  return report_bytes_of(plan_.payload_bytes, manifest_.authenticated) > k_report_bytes_max ? Status::too_large
                                                                                            : Status::ok;
}

Status Session::prepare(const std::span<const std::uint8_t>& round, const LocalData& local,
                        const std::span<std::byte>& work) noexcept {
  if (step_ == Step::closed) return Status::not_prepared;
  forget_answer();
  const std::size_t skip = (0u - reinterpret_cast<std::uintptr_t>(work.data())) & k_workspace_slack;
  work_ = work.subspan(skip < work.size() ? skip : work.size());
  mapped_ = local.samples.read == nullptr;  // not the pointer: an empty array may have none, and silence must not tell
  Status status = check_round(round);
  if (status != Status::ok || step_ == Step::stored) return status;
  // Two seeds, so that a source which repeats itself is noticed even by a session's only report; both go into the coins.
  for (int seed = 0; status == Status::ok && seed < 2; ++seed) status = coins_.begin_report(hooks_->entropy);
  if (status != Status::ok) return status;
  sha256(round_.body, round_digest_);
  question_->prepare(asked(), local, coins_);
  wipe(work_.data() + plan_.kept_bytes, work_.size() - plan_.kept_bytes);
  step_ = Step::prepared;
  return Status::ok;
}

Status Session::send(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept {
  if (step_ == Step::stored) return ledger_->stored_report(entry_, round_.number, out, bytes);
  if (step_ != Step::prepared) return Status::not_prepared;
  const std::size_t size = report_bytes_of(plan_.payload_bytes, manifest_.authenticated);
  if (out.size() < size) return Status::short_buffer;
  Status status = ledger_->charge(entry_, round_.number, price_, size);
  std::uint8_t* const report = out.data();
  if (status == Status::ok) {
    ReportHeader header{round_.question, manifest_.authenticated, round_.number, 0, entry_.facts.pseudonym};
    __builtin_memcpy(&header.study_prefix, study_digest_.data(), sizeof header.study_prefix);  // little-endian both
    encode_header(header, std::span<std::uint8_t, k_header_bytes>{report, k_header_bytes});
    question_->report(asked(), coins_, {report + k_header_bytes, plan_.payload_bytes});
  }
  forget_answer();
  if (status != Status::ok) return status;
  if (manifest_.authenticated) {
    ReportKey key;
    status = ledger_->key(entry_, key);
    if (status == Status::ok) status = seal_report(key, {study_digest_, round_digest_}, {report, size}, hooks_->aead);
    wipe(key.data(), sizeof key);
  }
  if (status == Status::ok) status = ledger_->store(entry_, round_.number, {report, size});
  if (status == Status::ok) {
    step_ = Step::stored;
    bytes = size;
  } else {
    wipe(report, size);  // an unsealed or unstored report must not leave
  }
  return status;
}

Status Session::answer(const std::span<const std::uint8_t>& round, const LocalData& local,
                       const std::span<std::byte>& work, const std::span<std::uint8_t>& out,
                       std::size_t& bytes) noexcept {
  if (const Status s = prepare(round, local, work); s != Status::ok) return s;
  return send(out, bytes);
}

Status Session::acknowledge(std::uint16_t round) noexcept {
  return step_ == Step::closed ? Status::not_prepared : ledger_->acknowledge(entry_, round);
}

std::uint32_t Session::slot(std::uint16_t round) const noexcept {
  if (step_ == Step::closed) return 0;
  PublicCoins coins{{manifest_.seed, entry_.facts.pseudonym, round}, CoinPurpose::slot};
  return coins.word();
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/session/session.hpp"

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
  answer_.digest = &study_digest_;
  if (const Status s = ledger.find_study(answer_); s != Status::ok) return s;
  if (manifest_.authenticated && answer_.study->has_key == 0) return Status::needs_credential;
  answer_.price = {manifest_.epsilon, manifest_.delta};
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
  const CoinLabel label{manifest_.seed, answer_.study->pseudonym, round_.number};
  return {manifest_, round_, label, work_, ledger_->policy().per_study.epsilon, mapped_};
}

Status Session::check_round(const std::span<const std::uint8_t>& bytes) noexcept {
  if (const Status s = decode_round(bytes, round_); s != Status::ok) return s;
  if (__builtin_memcmp(round_.study.data(), study_digest_.data(), sizeof study_digest_) != 0)
    return Status::foreign_study;
  if (!vouched(hooks_->verify, round_.body, round_.signature)) return Status::bad_signature;
  answer_.round = round_.number;
  const Status allowed = ledger_->may_charge(answer_);
  if (allowed == Status::already_answered && answer_.study->state == StudyState::stored &&
      answer_.study->round == round_.number) {
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
  if (round_.cohort != k_every_cohort && round_.cohort != cohort_of(manifest_, answer_.study->pseudonym))
    return Status::not_in_cohort;
  // Spend counts the answers: all of a study cost the same. At most 12e9 * 65535, below 2^50; epsilon's upper half is 2 or less.
  const std::uint32_t before = manifest_.answers - 1;
  const auto upper = static_cast<std::uint32_t>(manifest_.epsilon >> 32) * before;
  const EpsilonNano most = multiply_32(static_cast<std::uint32_t>(manifest_.epsilon), before) + (std::uint64_t{upper} << 32);
  if (answer_.study->spent.epsilon > most) return Status::over_answers;
  plan_ = {};
  if (const Status s = question_->check(asked(), plan_); s != Status::ok) return s;
  if (plan_.kept_bytes + plan_.scratch_bytes > work_.size()) return Status::short_buffer;
  answer_.bytes = report_bytes_of(plan_.payload_bytes, manifest_.authenticated);
  return answer_.bytes > k_report_bytes_max ? Status::too_large : Status::ok;
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
  answer_.report = out.data();
  answer_.round = round_.number;
  Status status;
  if (step_ == Step::stored) {
    answer_.bytes = out.size();
    status = ledger_->stored_report(answer_);
  } else {
    if (step_ != Step::prepared) return Status::not_prepared;
    if (out.size() < answer_.bytes) return Status::short_buffer;
    status = pay_and_draw();
  }
  if (status == Status::ok) bytes = answer_.bytes;
  return status;
}

Status Session::pay_and_draw() noexcept {
  Status status = ledger_->charge(answer_);
  const std::span<std::uint8_t> report{answer_.report, answer_.bytes};
  if (status == Status::ok) {
    ReportHeader header{round_.question, manifest_.authenticated, round_.number, 0, answer_.study->pseudonym};
    __builtin_memcpy(&header.study_prefix, study_digest_.data(), sizeof header.study_prefix);  // little-endian both
    encode_header(header, report.first<k_header_bytes>());
    question_->report(asked(), coins_, {report.data() + k_header_bytes, plan_.payload_bytes});
  }
  forget_answer();
  if (status != Status::ok) return status;
  if (manifest_.authenticated)
    status = seal_report(answer_.study->key, {study_digest_, round_digest_}, report, hooks_->aead);
  if (status == Status::ok) status = ledger_->store(answer_);
  if (status == Status::ok)
    step_ = Step::stored;
  else
    wipe(report);  // an unsealed or unstored report must not leave
  return status;
}

Status Session::answer(const std::span<const std::uint8_t>& round, const LocalData& local,
                       const std::span<std::byte>& work, const std::span<std::uint8_t>& out,
                       std::size_t& bytes) noexcept {
  if (const Status s = prepare(round, local, work); s != Status::ok) return s;
  return send(out, bytes);
}

Status Session::acknowledge(std::uint16_t round) noexcept {
  if (step_ == Step::closed) return Status::not_prepared;
  answer_.round = round;
  return ledger_->acknowledge(answer_);
}

std::uint32_t Session::slot(std::uint16_t round) const noexcept {
  if (step_ == Step::closed) return 0;
  PublicCoins coins{{manifest_.seed, answer_.study->pseudonym, round}, CoinPurpose::slot};
  return coins.word();
}

}  // namespace sotto

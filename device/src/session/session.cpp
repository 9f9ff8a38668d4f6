// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/session/session.hpp"

#include <new>
#include <utility>

#include "sotto/bytes.hpp"
#include "sotto/local/workspace.hpp"
#include "sotto/wide.hpp"
#include "sotto/wipe.hpp"

namespace sotto {
namespace {

[[nodiscard]] const Question* find(const std::span<const Question* const>& questions, QuestionKind kind) noexcept {
  for (const Question* q : questions) {
    if (q->kind == kind) return q;
  }
  return nullptr;
}

}  // namespace

bool Session::vouched(const std::span<const std::uint8_t> body_and_signature[2]) const noexcept {
  const std::span<const std::uint8_t>&body = body_and_signature[0], &signature = body_and_signature[1];
  const VerifyHook& hook = hooks_->verify;
  return hook.verify == nullptr ||
         hook.verify(hook.context, body.data(), body.size(), signature.data(), signature.size());
}

Status Session::open(const std::span<const std::uint8_t>& manifest, Ledger& ledger,
                     const SessionHooks& hooks) noexcept {
  close();
  ledger_ = &ledger;
  hooks_ = &hooks;
  if (const Status s = decode_manifest(manifest, manifest_); s != Status::ok) return s;
  if (!vouched(&manifest_.body)) return Status::bad_signature;
  sha256(manifest_.body, context_.study);
  answer_.digest = &context_.study;
  if (const Status s = ledger.find_study(answer_); s != Status::ok) return s;
  if (manifest_.authenticated && answer_.study->has_key == 0) return Status::needs_credential;
  answer_.price = {manifest_.epsilon, manifest_.delta};
  step_ = Step::open;
  return Status::ok;
}

void Session::close() noexcept {
  forget_answer();
  step_ = Step::closed;
}

// The answer and the certified spec lie in the caller's memory; coins lie here.
void Session::forget_answer() noexcept {
  if (step_ == Step::prepared) wipe(asked().work.data(), plan_.kept_bytes + plan_.scratch_bytes);
  coins_.end_report();
  if (step_ != Step::closed) step_ = Step::open;
}

inline Status Session::check_question() noexcept {
  asked().label.pseudonym = answer_.study->pseudonym;
  const Manifest& manifest = asked().manifest;
  const Round& round = asked().round;
  question_ = find(hooks_->questions, round.question);
  if (question_ == nullptr || !may_ask(manifest, round.question)) return Status::unsupported_question;
  // Of all stems only this one takes time that depends on its noise and values.
  if (round.stem == Stem::gaussian && hooks_->time_observed) return Status::time_observed;
  if (round.cohort != k_every_cohort && round.cohort != cohort_of(manifest, asked().label.pseudonym))
    return Status::not_in_cohort;
  // Spend counts the answers: all of a study cost the same. At most 12e9 * 65535, below 2^50; epsilon's upper half is 2 or less.
  const std::uint32_t before = manifest.answers - 1;
  const auto lower = static_cast<std::uint32_t>(manifest.epsilon),
             upper = static_cast<std::uint32_t>(manifest.epsilon >> 32);
  const EpsilonNano most = multiply_add(std::uint64_t{upper * before} << 32, lower, before);
  if (answer_.study->spent.epsilon > most) return Status::over_answers;
  if (const Status s = question_->check(asked(), plan_); s != Status::ok) return s;
  if (plan_.kept_bytes + plan_.scratch_bytes > asked().work.size()) return Status::short_buffer;
  answer_.bytes = report_bytes_of(plan_.payload_bytes, manifest.authenticated);
  return answer_.bytes > ledger_->report_room() ? Status::bad_report_size : Status::ok;
}

Status Session::prepare(const std::span<const std::uint8_t>& round, const LocalData& local,
                        const std::span<std::byte>& work) noexcept {
  if (step_ == Step::closed) return Status::not_prepared;
  forget_answer();
  const std::size_t skip = (0u - reinterpret_cast<std::uintptr_t>(work.data())) & k_workspace_slack;
  // Rows are mapped if there is no reader. Not if there is a pointer: an empty array may have none, and silence must not tell.
  Asked& asked = *new (asked_) Asked(manifest_, round_, work.subspan(skip < work.size() ? skip : work.size()));
  asked.label.study_seed = manifest_.seed;
  asked.mapped = local.samples.read == nullptr;
  Status status = decode_round(round, round_);
  if (status != Status::ok) return status;
  if (!equal_bytes(round_.study.data(), context_.study.data(), sizeof context_.study)) return Status::foreign_study;
  if (!vouched(&round_.body)) return Status::bad_signature;
  answer_.round = asked.label.round = round_.number;
  status = ledger_->may_charge(answer_);
  if (status == Status::already_answered && answer_.study->state == StudyState::stored &&
      answer_.study->round == answer_.round) {
    step_ = Step::stored;
    return Status::ok;
  }
  if (status == Status::ok) status = check_question();
  // Two seeds, so that a source which repeats itself is noticed even by a session's only report; both go into the coins.
  for (int seed = 0; status == Status::ok && seed < 2; ++seed) status = coins_.begin_report(hooks_->entropy);
  if (status != Status::ok) return status;
  sha256(round_.body, context_.round);
  question_->prepare(asked, local, coins_);
  const std::span<std::byte>& space = asked.work;
  wipe(space.data() + plan_.kept_bytes, space.size() - plan_.kept_bytes);
  step_ = Step::prepared;
  return Status::ok;
}

Status Session::send(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept {
  answer_.report = out.data();
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

inline Status Session::pay_and_draw() noexcept {
  Status status = ledger_->charge(answer_);
  const Asked& asked = this->asked();
  const std::span<std::uint8_t> report{answer_.report, answer_.bytes};
  const bool sealed = asked.manifest.authenticated;
  if (status == Status::ok) {
    // The prefix lies in the digest as it travels: little-endian both.
    const auto prefix = *reinterpret_cast<const WipedWord*>(context_.study.data());
    encode_header({asked.round.question, sealed, asked.label.round, prefix, asked.label.pseudonym},
                  report.first<k_header_bytes>());
    question_->report(asked, coins_, {report.data() + k_header_bytes, plan_.payload_bytes});
  }
  forget_answer();
  if (status != Status::ok) return status;
  if (sealed) status = seal_whole_report(answer_.study->key, context_, report, hooks_->aead);
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
  std::swap(answer_.round, round);  // what is prepared may be of another round
  const Status status = ledger_->acknowledge(answer_);
  answer_.round = round;
  return status;
}

std::uint32_t Session::slot(std::uint16_t round) const noexcept {
  if (step_ == Step::closed) return 0;
  PublicCoins coins{{manifest_.seed, answer_.study->pseudonym, round}, CoinPurpose::slot};
  return coins.word();
}

}  // namespace sotto

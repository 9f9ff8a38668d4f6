// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/session/session.hpp"

#include <new>
#include <utility>

#include "seed.hpp"
#include "sotto/bytes.hpp"
#include "sotto/ledger/overlap.hpp"
#include "sotto/local/workspace.hpp"
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

[[gnu::noinline]] Status Session::enter() noexcept {
  if (occupancy_.is_busy()) return Status::reentered;
  if (step_ == Step::closed) return Status::not_prepared;
  if (occupancy_.life != ledger_->life()) return Status::stale_session;
  occupancy_.busy = Occupancy::k_busy;
  return Status::ok;
}

Status Session::open(const std::span<const std::uint8_t>& manifest, Ledger& ledger,
                     const SessionHooks& hooks) noexcept {
  if (occupancy_.is_busy()) return Status::reentered;
  close();
  ledger_ = &ledger;
  hooks_ = &hooks;
  occupancy_.busy = Occupancy::k_busy;
  const Status status = begin(manifest);
  occupancy_.busy = 0;
  return status;
}

inline Status Session::begin(const std::span<const std::uint8_t>& manifest) noexcept {
  if (const Status s = load_study(manifest, *hooks_, manifest_, context_.study); s != Status::ok) return s;
  answer_.digest = &context_.study;
  occupancy_.life = ledger_->life();
  if (const Status s = ledger_->find_study(answer_); s != Status::ok) return s;
  if (manifest_.authenticated && !answer_.has_key) return Status::needs_credential;
  answer_.price = {manifest_.epsilon, manifest_.delta};
  answer_.answers = static_cast<std::uint16_t>(manifest_.answers);
  step_ = Step::open;
  return Status::ok;
}

void Session::close() noexcept {
  if (occupancy_.is_busy()) return;  // a hook called back: the call that it belongs to goes on
  forget_answer();
  coins_.forget();
  step_ = Step::closed;
}

// The answer and the certified spec lie in the caller's memory; coins lie here.
void Session::forget_answer() noexcept {
  if (step_ == Step::prepared) wipe(asked().work.data(), plan_.kept_bytes + plan_.scratch_bytes);
  coins_.end_report();
  step_ = Step::open;  // a session that is not closed comes here, or one that close() closes next
}

/// What an answer is made from: a buffer that lies there would change it, or what was spent, half-way.
bool Session::reads_from(const void* memory, std::size_t bytes) const noexcept {
  return overlap(memory, bytes, manifest_.body.data(), manifest_.body.size()) ||
         overlap(memory, bytes, round_.body.data(), round_.body.size()) || overlap(memory, bytes, this, sizeof *this) ||
         ledger_->owns(memory, bytes);
}

inline Status Session::check_question() noexcept {
  asked().label.pseudonym = answer_.pseudonym;
  const Manifest& manifest = asked().manifest;
  const Round& round = asked().round;
  question_ = find(hooks_->questions, round.question);
  if (question_ == nullptr || !may_ask(manifest, round.question)) return Status::unsupported_question;
  // Of all stems only this one takes time that depends on its noise and values.
  if (round.stem == Stem::gaussian && hooks_->time_observed) return Status::time_observed;
  if (round.cohort != k_every_cohort && round.cohort != cohort_of(manifest, asked().label.pseudonym))
    return Status::not_in_cohort;
  if (const Status s = question_->check(asked(), plan_); s != Status::ok) return s;
  if (plan_.kept_bytes + plan_.scratch_bytes > asked().work.size()) return Status::short_buffer;
  answer_.bytes = report_bytes_of(plan_.payload_bytes, manifest.authenticated);
  return answer_.bytes > ledger_->report_room() ? Status::bad_report_size : Status::ok;
}

Status Session::check_out(const std::span<std::uint8_t>& out) noexcept {
  const std::span<std::byte>& work = asked().work;
  if (reads_from(out.data(), out.size()) || overlap(out.data(), out.size(), work.data(), work.size()))
    return Status::overlapping_buffers;
  return step_ != Step::stored && out.size() < answer_.bytes ? Status::short_buffer : Status::ok;
}

/// prepare(), and with `out` what can be refused of it.
Status Session::get_ready(const std::span<const std::uint8_t>& round, const LocalData& local,
                          const std::span<std::byte>& work, const std::span<std::uint8_t>* out) noexcept {
  forget_answer();
  const std::size_t skip = (0u - reinterpret_cast<std::uintptr_t>(work.data())) & k_workspace_slack;
  // Rows are mapped if there is no reader. Not if there is a pointer: an empty array may have none, and silence must not tell.
  Asked& asked = *new (asked_) Asked(manifest_, round_, work.subspan(skip < work.size() ? skip : work.size()));
  asked.label.study_seed = manifest_.seed;
  asked.mapped = local.samples.read == nullptr;
  Status status = decode_round(round, round_);
  if (status != Status::ok) return status;
  if (!equal_bytes(round_.study.data(), context_.study.data(), sizeof context_.study)) return Status::foreign_study;
  if (!hooks_->verify.vouches_for(round_.body, round_.signature)) return Status::bad_signature;
  if (reads_from(work.data(), work.size())) return Status::overlapping_buffers;
  answer_.round = asked.label.round = round_.number;
  answer_.stored = false;
  status = ledger_->may_charge(answer_);
  if (status == Status::already_answered && answer_.stored) {
    step_ = Step::stored;
    return Status::ok;
  }
  if (status == Status::ok) status = check_question();
  if (status == Status::ok && out != nullptr) status = check_out(*out);
  if (status == Status::ok) status = seed_coins(coins_, *ledger_, hooks_->entropy);
  if (status != Status::ok) return status;
  sha256(round_.body, context_.round);
  question_->prepare(asked, local, coins_);
  const std::span<std::byte>& space = asked.work;
  wipe(space.data() + plan_.kept_bytes, space.size() - plan_.kept_bytes);
  step_ = Step::prepared;
  return Status::ok;
}

Status Session::finish(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept {
  if (step_ == Step::open) return Status::not_prepared;
  Status status = check_out(out);
  if (status != Status::ok) return status;
  answer_.report = out.data();
  if (step_ == Step::stored) {
    answer_.bytes = out.size();
    status = ledger_->stored_report(answer_);
  } else {
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
    std::uint32_t prefix;  // in one instruction: the context stands at a multiple of 4
    __builtin_memcpy(&prefix, context_.study.data(), sizeof prefix);
    encode_header({asked.round.question, sealed, asked.label.round, from_little_endian(prefix), asked.label.pseudonym},
                  report.first<k_header_bytes>());
    question_->report(asked, coins_, {report.data() + k_header_bytes, plan_.payload_bytes});
  }
  forget_answer();
  if (status != Status::ok) return status;
  if (sealed) status = seal_whole_report(answer_.key, context_, report, hooks_->aead);
  wipe(answer_.key.data(), sizeof answer_.key);
  if (status == Status::ok) status = ledger_->store(answer_);
  if (status == Status::ok)
    step_ = Step::stored;
  else
    wipe(report);  // an unsealed or unstored report must not leave
  return status;
}

Status Session::prepare(const std::span<const std::uint8_t>& round, const LocalData& local,
                        const std::span<std::byte>& work) noexcept {
  Status status = enter();
  if (status != Status::ok) return status;
  status = get_ready(round, local, work, nullptr);
  occupancy_.busy = 0;
  return status;
}

Status Session::send(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept {
  Status status = enter();
  if (status != Status::ok) return status;
  status = finish(out, bytes);
  occupancy_.busy = 0;
  return status;
}

Status Session::answer(const std::span<const std::uint8_t>& round, const LocalData& local,
                       const std::span<std::byte>& work, const std::span<std::uint8_t>& out,
                       std::size_t& bytes) noexcept {
  Status status = enter();
  if (status != Status::ok) return status;
  status = get_ready(round, local, work, &out);
  if (status == Status::ok) status = finish(out, bytes);
  occupancy_.busy = 0;
  return status;
}

Status Session::acknowledge(std::uint16_t round) noexcept {
  Status status = enter();
  if (status != Status::ok) return status;
  std::swap(answer_.round, round);  // what is prepared may be of another round
  status = ledger_->acknowledge(answer_);
  answer_.round = round;
  occupancy_.busy = 0;
  return status;
}

std::uint32_t Session::slot(std::uint16_t round) const noexcept {
  if (step_ == Step::closed) return 0;
  PublicCoins coins{{manifest_.seed, answer_.pseudonym, round}, CoinPurpose::slot};
  return coins.word();
}

}  // namespace sotto

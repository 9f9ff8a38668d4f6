// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/session/session.hpp"

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

/// Every public call on an open session.
template <class Body>
Status Session::guarded(Body body) noexcept {
  Status status = enter();
  if (status != Status::ok) return status;
  status = body();
  occupancy_.busy = 0;
  return status;
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
  const Manifest& study = manifest_;
  if (const Status s = load_study(manifest, *hooks_, manifest_, context_.study); s != Status::ok) return s;
  answer_.digest = &context_.study;
  occupancy_.life = ledger_->life();
  if (const Status s = ledger_->find_study(answer_); s != Status::ok) return s;
  if (study.authenticated && !answer_.has_key) return Status::needs_credential;
  answer_.price = {study.epsilon, study.delta};
  answer_.answers = static_cast<std::uint16_t>(study.answers);
  step_ = Step::open;
  return Status::ok;
}

void Session::close() noexcept {
  if (occupancy_.is_busy()) return;  // a hook called back: the call that it belongs to goes on
  forget_answer();
  coins_.forget();
  step_ = Step::closed;
}

// The answer lies in the caller's memory, coins lie here. The tag is wiped with the answer: if another session took this memory
// over, it finds that out when it sends.
void Session::forget_answer() noexcept {
  if (step_ == Step::prepared) wipe(work_.data(), plan_.kept_bytes + plan_.scratch_bytes);
  coins_.end_report();
  step_ = Step::open;  // a session that is not closed comes here, or one that close() closes next
}

/// What an answer is made from: a buffer that lies there would change it, or what was spent, half-way.
bool Session::reads_from(const void* memory, std::size_t bytes) const noexcept {
  const std::span<const std::uint8_t>&study = manifest_.body, &round = round_.body;
  return overlap(memory, bytes, study.data(), study.size()) || overlap(memory, bytes, round.data(), round.size()) ||
         overlap(memory, bytes, this, sizeof *this) || ledger_->owns(memory, bytes);
}

[[gnu::noinline]] Asked Session::asked() const noexcept {
  return {manifest_, round_, work_, {manifest_.seed, answer_.pseudonym, round_.number}, mapped_};
}

inline Status Session::check_question(const Asked& asked) noexcept {
  const Manifest& study = manifest_;
  const Round& round = round_;
  question_ = find(hooks_->questions, round.question);
  if (question_ == nullptr || !may_ask(study, round.question)) return Status::unsupported_question;
  // Of all stems only this one takes time that depends on its noise and values.
  if (round.stem == Stem::gaussian && hooks_->time_observed) return Status::time_observed;
  if (round.cohort != k_every_cohort && round.cohort != cohort_of(study, answer_.pseudonym))
    return Status::not_in_cohort;
  // From here on the work space is this session's: a check may write to it.
  if (work_.size() < sizeof(WorkTag)) return Status::short_buffer;
  work_tag().session = this;
  if (const Status s = question_->check(asked, plan_); s != Status::ok) return s;
  if (plan_.kept_bytes + plan_.scratch_bytes > work_.size()) return Status::short_buffer;
  answer_.bytes = report_bytes_of(plan_.payload_bytes, study.authenticated);
  return answer_.bytes > ledger_->report_room() ? Status::bad_report_size : Status::ok;
}

Status Session::check_out(const std::span<std::uint8_t>& out) noexcept {
  if (reads_from(out.data(), out.size()) || overlap(out.data(), out.size(), work_.data(), work_.size()))
    return Status::overlapping_buffers;
  return step_ != Step::stored && out.size() < answer_.bytes ? Status::short_buffer : Status::ok;
}

/// Steps 1 and 2 of the contract in session.hpp; with `out`, step 1 also refuses what is wrong with that buffer.
Status Session::get_ready(const std::span<const std::uint8_t>& round, const LocalData& local,
                          const std::span<std::byte>& work, const std::span<std::uint8_t>* out) noexcept {
  forget_answer();
  const std::size_t skip = (0u - reinterpret_cast<std::uintptr_t>(work.data())) & k_workspace_slack;
  work_ = work.subspan(skip < work.size() ? skip : work.size());
  // Rows are mapped if there is no reader. Not if there is a pointer: an empty array may have none, and silence must not tell.
  mapped_ = local.samples.read == nullptr;
  // Step 1: everything that may refuse. No sample is read.
  Status status = decode_round(round, round_);
  if (status != Status::ok) return status;
  if (!equal_bytes(round_.study.data(), context_.study.data(), sizeof context_.study)) return Status::foreign_study;
  if (!hooks_->verify.vouches_for(round_.body, round_.signature)) return Status::bad_signature;
  if (reads_from(work.data(), work.size())) return Status::overlapping_buffers;
  answer_.round = round_.number;
  answer_.stored = false;
  status = ledger_->may_charge(answer_);
  if (status == Status::already_answered && answer_.stored) {
    step_ = Step::stored;
    return Status::ok;
  }
  const Asked asked = this->asked();
  if (status == Status::ok) status = check_question(asked);
  if (status == Status::ok && out != nullptr) status = check_out(*out);
  if (status == Status::ok) status = seed_coins(coins_, *ledger_, hooks_->entropy);
  if (status != Status::ok) return status;
  sha256(round_.body, context_.round);
  // Step 2 cannot refuse. Behind the answer nothing stays in the work space.
  question_->prepare(asked, local, coins_);
  wipe(work_.data() + plan_.kept_bytes, work_.size() - plan_.kept_bytes);
  step_ = Step::prepared;
  return Status::ok;
}

/// Steps 3 to 6; or only the last one, for a report that is stored.
Status Session::finish(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept {
  if (step_ == Step::open) return Status::not_prepared;
  Status status = check_out(out);
  if (status != Status::ok) return status;
  answer_.report = out.data();
  if (step_ == Step::stored) {
    answer_.bytes = out.size();
    status = ledger_->stored_report(answer_);
  } else {
    status = work_tag().session == this ? pay_and_draw() : Status::work_space_lost;
  }
  if (status == Status::ok) bytes = answer_.bytes;
  return status;
}

inline Status Session::pay_and_draw() noexcept {
  Status status = ledger_->charge(answer_);  // step 3: recorded and synced before a coin of the randomizer is drawn
  const std::span<std::uint8_t> report{answer_.report, answer_.bytes};
  const bool sealed = manifest_.authenticated;
  if (status == Status::ok) {  // step 4
    encode_header({round_.question, sealed, answer_.round, load_u32(context_.study.data()), answer_.pseudonym},
                  report.first<k_header_bytes>());
    question_->report(asked(), coins_, {report.data() + k_header_bytes, plan_.payload_bytes});
  }
  forget_answer();
  if (status != Status::ok) return status;
  if (sealed) status = seal_whole_report(answer_.key, context_, report, hooks_->aead);
  wipe(answer_.key.data(), sizeof answer_.key);
  if (status == Status::ok) status = ledger_->store(answer_);  // step 5: stored and synced before a byte leaves
  if (status == Status::ok)
    step_ = Step::stored;
  else
    wipe(report);  // an unsealed or unstored report must not leave
  return status;
}

Status Session::prepare(const std::span<const std::uint8_t>& round, const LocalData& local,
                        const std::span<std::byte>& work) noexcept {
  return guarded([&] { return get_ready(round, local, work, nullptr); });
}

Status Session::send(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept {
  return guarded([&] { return finish(out, bytes); });
}

Status Session::answer(const std::span<const std::uint8_t>& round, const LocalData& local,
                       const std::span<std::byte>& work, const std::span<std::uint8_t>& out,
                       std::size_t& bytes) noexcept {
  return guarded([&] {
    const Status status = get_ready(round, local, work, &out);
    return status == Status::ok ? finish(out, bytes) : status;
  });
}

Status Session::acknowledge(std::uint16_t round) noexcept {
  return guarded([&] {
    const std::uint16_t prepared = answer_.round;  // what is prepared may be of another round
    answer_.round = round;
    const Status status = ledger_->acknowledge(answer_);
    answer_.round = prepared;
    return status;
  });
}

std::uint32_t Session::slot(std::uint16_t round) const noexcept {
  if (step_ == Step::closed) return 0;
  PublicCoins coins{{manifest_.seed, answer_.pseudonym, round}, CoinPurpose::slot};
  return coins.word();
}

}  // namespace sotto

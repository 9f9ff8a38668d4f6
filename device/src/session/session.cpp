// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The steps of an answer, in the order that session.hpp states.
#include "sotto/session/session.hpp"

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
  occupancy_.begin();
  return Status::ok;
}

/// A call on the ledger for the answer of this session. Out of line to save flash.
[[gnu::noinline]] Status Session::ask_ledger(Ledger::Act act) noexcept { return ledger_->act(answer_, act); }

/// Runs the body of a public call on an open session: refuses reentrant calls and stale sessions.
template <class Body>
Status Session::guarded(Body body) noexcept {
  Status status = enter();
  if (status != Status::ok) return status;
  status = body();
  occupancy_.end();
  return status;
}

Status Session::open(const std::span<const std::uint8_t>& manifest, Ledger& ledger,
                     const SessionHooks& hooks) noexcept {
  if (occupancy_.is_busy()) return Status::reentered;
  forget();
  return open_new(manifest, ledger, hooks);
}

Status Session::open_new(const std::span<const std::uint8_t>& manifest, Ledger& ledger,
                         const SessionHooks& hooks) noexcept {
  ledger_ = &ledger;
  hooks_ = &hooks;
  occupancy_.begin();
  const Status status = begin(manifest);
  occupancy_.end();
  return status;
}

inline Status Session::begin(const std::span<const std::uint8_t>& manifest) noexcept {
  const Manifest& study = asked_.manifest;
  if (const Status s = load_study(manifest, *hooks_, asked_.manifest, context_.study); s != Status::ok) return s;
  answer_.digest = &context_.study;
  occupancy_.life = ledger_->life();
  if (const Status s = ask_ledger(Ledger::Act::find); s != Status::ok) return s;
  if (study.authenticated && answer_.has_key == 0) return Status::needs_credential;
  asked_.label.study_seed = study.seed;
  asked_.label.pseudonym = answer_.pseudonym;
  answer_.price = {study.epsilon, study.delta};
  answer_.answers = static_cast<std::uint16_t>(study.answers);
  step_ = Step::open;
  return Status::ok;
}

void Session::close() noexcept {
  if (!occupancy_.is_busy()) forget();  // else a hook called back: the outer call continues
}

inline void Session::forget() noexcept {
  forget_answer();
  coins_.forget();
  step_ = Step::closed;
}

// Wipes the answer in the caller's memory and the coins in this object. The tag is wiped with the answer: a session
// that has prepared in the same memory since finds that out when it sends.
void Session::forget_answer() noexcept {
  if (step_ == Step::prepared) wipe(asked_.work.data(), asked_.plan.work_bytes);
  coins_.end_report();
  step_ = Step::open;  // the session is open here, or close() closes it next
}

/// Whether a buffer overlaps the inputs of an answer. Writing to it would change the answer or the recorded spending in
/// the middle of a call.
bool Session::reads_from(const void* memory, std::size_t bytes) const noexcept {
  if (static_cast<std::ptrdiff_t>(bytes) < 0) return true;  // no memory is that long
  const std::span<const std::uint8_t>&study = asked_.manifest.bytes.body, &round = asked_.round.bytes.body;
  return overlap(memory, bytes, study.data(), study.size()) || overlap(memory, bytes, round.data(), round.size()) ||
         overlap(memory, bytes, this, sizeof *this) || ledger_->owns(memory, bytes);
}

/// Reads a round of this study into `asked_`.
inline Status Session::read_round(const std::span<const std::uint8_t>& round, bool mapped) noexcept {
  forget_answer();
  asked_.mapped = mapped;
  if (const Status s = decode_round(round, asked_.round); s != Status::ok) return s;
  if (!equal_bytes(asked_.round.study.data(), context_.study.data(), sizeof context_.study))
    return Status::foreign_study;
  return hooks_->verify.vouches_for(asked_.round.bytes) ? Status::ok : Status::bad_signature;
}

/// Finds the question of the round and lets it plan its answer.
inline Status Session::check_question() noexcept {
  const Manifest& study = asked_.manifest;
  const Round& round = asked_.round;
  question_ = find(hooks_->questions, round.question);
  if (question_ == nullptr || !may_ask(study, round.question)) return Status::unsupported_question;
  // Only the Gaussian sampler takes time that depends on private values.
  if (round.stem == Stem::gaussian && hooks_->time_observed) return Status::time_observed;
  if (round.cohort != k_every_cohort && round.cohort != cohort_of(study, answer_.pseudonym))
    return Status::not_in_cohort;
  const Status status = question_->check(asked_);
  answer_.bytes = report_bytes_of(asked_.plan.payload_bytes, study.authenticated);
  return status;
}

/// Whether this device answers the round now, with the memory that it has.
[[gnu::noinline]] Status Session::check_round() noexcept {
  if (hooks_->clock != nullptr) {
    if (const Status s = hooks_->clock->check(*hooks_->clock, asked_.round); s != Status::ok) return s;
  }
  if (const Status s = check_question(); s != Status::ok) return s;
  if (asked_.plan.work_bytes > asked_.work.size()) return Status::short_buffer;
  return answer_.bytes > ledger_->report_room() ? Status::bad_report_size : Status::ok;
}

Status Session::check_out(const std::span<std::uint8_t>& out) noexcept {
  if (reads_from(out.data(), out.size()) || overlap(out.data(), out.size(), asked_.work.data(), asked_.work.size()))
    return Status::overlapping_buffers;
  return step_ != Step::stored && out.size() < answer_.bytes ? Status::short_buffer : Status::ok;
}

/// Steps 1 and 2 of session.hpp. If `out` is given, step 1 also checks that buffer.
Status Session::get_ready(const std::span<const std::uint8_t>& round, const LocalData& local,
                          const std::span<std::byte>& work, const std::span<std::uint8_t>* out) noexcept {
  // Step 1: everything that can refuse. No sample is read. The rows count as mapped if there is no reader. The pointer is
  // not used for this: a device without rows may have a null pointer, and the refusals must not depend on the number of
  // rows.
  Status status = read_round(round, local.samples.read == nullptr);
  if (status != Status::ok) return status;
  if (reads_from(work.data(), work.size())) return Status::overlapping_buffers;
  const std::size_t skip = (0u - reinterpret_cast<std::uintptr_t>(work.data())) & k_workspace_slack;
  asked_.work = work.subspan(skip < work.size() ? skip : work.size());
  answer_.round = asked_.label.round = asked_.round.number;
  answer_.stored = 0;
  status = ask_ledger(Ledger::Act::check);
  if (answer_.stored != 0) {  // already answered, and the report can be sent again
    step_ = Step::stored;
    status = Status::ok;
  } else if (status == Status::ok) {
    status = check_round();
  }
  if (status == Status::ok && out != nullptr) status = check_out(*out);
  if (status != Status::ok || step_ == Step::stored) return status;
  status = ledger_->seed(coins_, hooks_->entropy);
  if (status != Status::ok) return status;
  sha256(asked_.round.bytes.body, context_.round);
  // Step 2 cannot refuse. From here on the work space belongs to this session. Afterwards it holds only the answer.
  work_tag().session = this;
  question_->prepare(asked_, local, coins_);
  wipe(asked_.work.data() + asked_.plan.kept_bytes, asked_.work.size() - asked_.plan.kept_bytes);
  step_ = Step::prepared;
  return Status::ok;
}

/// Steps 3 to 6; only step 6 for a report that is already stored.
Status Session::finish(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept {
  Status status;
  answer_.report = out.data();
  if (step_ == Step::stored) {
    answer_.bytes = out.size();
    status = ask_ledger(Ledger::Act::resend);
  } else {
    status = work_tag().session == this ? pay_and_draw() : Status::work_space_lost;
  }
  if (status == Status::ok) bytes = answer_.bytes;
  return status;
}

Status Session::pay_and_draw() noexcept {
  ReportSeal seal;  // wiped at the end
  answer_.key = seal.key();
  Status status =
      ask_ledger(Ledger::Act::charge);  // step 3: recorded and synced before a coin of the randomizer is drawn
  const std::span<std::uint8_t> report{answer_.report, answer_.bytes};
  const bool sealed = asked_.manifest.authenticated;
  if (status == Status::ok) {  // step 4
    encode_header({asked_.round.question, sealed, answer_.round, context_.study_prefix(), answer_.pseudonym},
                  report.first<k_header_bytes>());
    question_->report(asked_, coins_, {report.data() + k_header_bytes, asked_.plan.payload_bytes});
  }
  forget_answer();
  if (status != Status::ok) return status;
  if (sealed) status = seal.seal(context_, report, hooks_->aead);
  if (status == Status::ok) status = ask_ledger(Ledger::Act::store);  // step 5: stored and synced before a byte leaves
  if (status == Status::ok)
    step_ = Step::stored;
  else
    wipe(report);  // an unsealed or unstored report must not leave
  return status;
}

Status Session::work_bytes(const std::span<const std::uint8_t>& round, bool mapped, std::size_t& bytes) noexcept {
  return guarded([&] {
    Status status = read_round(round, mapped);
    if (status == Status::ok) status = check_question();
    if (status == Status::ok) bytes = asked_.plan.work_bytes + k_workspace_slack;
    return status;
  });
}

Status Session::prepare(const std::span<const std::uint8_t>& round, const LocalData& local,
                        const std::span<std::byte>& work) noexcept {
  return guarded([&] { return get_ready(round, local, work, nullptr); });
}

Status Session::send(const std::span<std::uint8_t>& out, std::size_t& bytes) noexcept {
  return guarded([&] {
    if (step_ == Step::open) return Status::not_prepared;
    const Status status = check_out(out);
    return status == Status::ok ? finish(out, bytes) : status;
  });
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
    const std::uint16_t prepared = answer_.round;  // the prepared answer may belong to another round
    answer_.round = round;
    const Status status = ask_ledger(Ledger::Act::acknowledge);
    answer_.round = prepared;
    return status;
  });
}

std::uint32_t Session::slot(std::uint16_t round) const noexcept {
  if (step_ == Step::closed) return 0;
  PublicCoins coins{{asked_.manifest.seed, answer_.pseudonym, round}, CoinPurpose::slot};
  return coins.word();
}

}  // namespace sotto

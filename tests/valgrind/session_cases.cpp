// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Whole answers: every question through every stem that it takes, sealed and plain. What prepare() kept of the samples is secret from
// there on, through charge, draw, encoding and sealing. A sealed text is public once it is sealed, a plain payload once it was drawn:
// both are about to be sent. How long prepare() itself takes does depend on samples (PRIVACY.md, "Time").
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "cases.hpp"
#include "ledger_kit.hpp"
#include "question_pairs.hpp"
#include "secret.hpp"
#include "seeded_entropy.hpp"
#include "sotto/session/session.hpp"
#include "sotto/wire/encode.hpp"
#include "study_kit.hpp"

namespace sotto {
namespace {

void must(Status status) {
  if (status != Status::ok) std::abort();
}

/// The question under test, between the session and itself: marks its answer when it is there.
struct Watched {
  const Question* question;
  AnswerPlan plan;
  bool sealed, published;
};
Watched watched;

Status check(Asked& asked) noexcept {
  const Status status = watched.question->check(asked);
  watched.plan = asked.plan;
  return status;
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept {
  watched.question->prepare(asked, local, coins);
  make_secret(asked.work.data() + sizeof(WorkTag), asked.plan.kept_bytes - sizeof(WorkTag));
}

void report(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  watched.question->report(asked, coins, payload);
  if (watched.sealed) return;
  make_public(payload.data(), payload.size());
  watched.published = true;
}

bool seal_and_publish(void*, const AeadText* text) {
  aead_seal(*text);
  make_public(text->text, text->text_bytes);
  static_cast<void>(VALGRIND_MAKE_MEM_DEFINED(text->tag, k_tag_bytes));
  watched.published = true;
  return true;
}

/// The study and the round of an asked question as they travel.
class Wire {
 public:
  Wire(AskedQuestion& asked, QuestionKind kind, bool sealed) noexcept {
    for (std::size_t i = 0; i < 2; ++i)
      encode_scale({0, 1, 0}, std::span{scales_}.subspan(i * k_scale_bytes).first<k_scale_bytes>());
    Manifest& m = asked.manifest;
    m.authenticated = sealed;
    m.one_scale = true;
    m.answers = 1;
    m.questions = static_cast<std::uint16_t>(1u << static_cast<unsigned>(kind));
    m.collector = collector_;
    m.cohorts = 1;
    m.weights = weights_;
    m.scales = scales_;
    ByteWriter manifest{manifest_};
    encode_manifest(m, manifest);
    manifest_bytes = manifest.written();
    sha256(manifest_bytes, digest);
    asked.round.question = kind;
    asked.round.cohort = k_every_cohort;
    asked.round.study = digest;
    ByteWriter round{round_};
    encode_round(asked.round, round);
    round_bytes = round.written();
  }
  Digest digest{};
  std::span<const std::uint8_t> manifest_bytes, round_bytes;

 private:
  std::uint8_t collector_[16] = {0xc0}, weights_[2] = {1, 0}, scales_[2 * k_scale_bytes] = {};
  std::uint8_t manifest_[256], round_[k_round_max_bytes];
};

/// One device answers one round. All that a test of sessions sets up is here.
void answer(const QuestionPair& pair, bool sealed, std::uint64_t device) {
  static AskedQuestion asked;
  asked.begin(device);
  asked.manifest.delta = 0;
  pair.ask(asked);
  watched = {pair.question, {}, sealed, false};
  const Question question{pair.question->kind, check, prepare, report};
  const Question* const questions[] = {&question};
  const Wire wire{asked, question.kind, sealed};
  PlainFlash<1024> memory;
  const Flash flash = memory.flash();
  const LedgerHooks ledger_hooks;
  SeededEntropy entropy{5 + device};
  const SessionHooks hooks{entropy.source(), questions, {}, {nullptr, seal_and_publish}};
  RoomyLedger<> ledger;
  must(ledger.create(flash, ledger_hooks, {{4 * k_epsilon_one, 0}, {4 * k_epsilon_one, 0}}, entropy.source()));
  must(ledger.set_consent(true));
  must(ledger.enrol(wire.digest, Credential{device, {7, 9}, sealed}));
  Session session;
  must(session.open(wire.manifest_bytes, ledger, hooks));
  alignas(8) std::byte work[AskedQuestion::k_work_bytes];
  std::uint8_t out[64];
  std::size_t bytes = 0;
  must(session.prepare(wire.round_bytes, {asked.mapped(), pair.given}, work));
  must(session.send(out, bytes));
  if (!watched.published || bytes != report_bytes_of(watched.plan.payload_bytes, sealed)) std::abort();
  // Nothing of what was sent, and of what says how much, may still depend on a secret.
  if (VALGRIND_CHECK_MEM_IS_DEFINED(out, bytes) != 0) std::abort();
}

template <std::size_t i>
void answer_pair() {
  for (std::uint64_t device = 1; device <= 2; ++device) {
    answer(question_pairs()[i], true, device);
    answer(question_pairs()[i], false, device);
  }
}

/// A question that looks at its answer: the harness above must see it.
void leaky_report(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  const QuestionPair& pair = question_pairs()[0];
  pair.question->report(asked, coins, payload);
  if ((static_cast<const volatile std::uint8_t&>(
           reinterpret_cast<const std::uint8_t*>(asked.work.data())[sizeof(WorkTag)]) &
       1u) != 0)
    (void)coins.word();  // one more draw where the answer is odd
}

void leak_by_question() {
  QuestionPair pair = question_pairs()[0];
  const Question leaky{pair.question->kind, pair.question->check, pair.question->prepare, leaky_report};
  pair.question = &leaky;
  answer(pair, true, 1);
}

[[nodiscard]] bool is_listed(const Question* question, Stem stem) {
  bool listed = false;
  for (const QuestionPair& pair : question_pairs()) listed = listed || (pair.question == question && pair.stem == stem);
  for (const LeftOut& out : left_out()) listed = listed || (out.question == question && out.stem == stem);
  return listed;
}

/// Asks the question through every stem: exactly those that are listed are not refused as channels.
void check_stems(const Question* question, void (*ask)(AskedQuestion&)) {
  static AskedQuestion asked;
  for (const StemSpec& stem : every_stem()) {
    asked.begin(1);
    ask(asked);
    stem.through(asked);
    const bool taken = asked.check(*question, true) != Status::bad_channel;
    if (taken == is_listed(question, stem.stem)) continue;
    std::fprintf(stderr, "question %d %s stem %d\n", static_cast<int>(question->kind), taken ? "takes" : "refuses",
                 static_cast<int>(stem.stem));
    std::abort();
  }
}

/// Every stem that a question takes is a case, or is left out by name.
void every_pair_is_listed() {
  for (const QuestionPair& pair : question_pairs()) check_stems(pair.question, pair.ask);
  for (const LeftOut& out : left_out()) {
    check_stems(out.question, out.ask);
    if (out.stem != Stem::gaussian) std::abort();
  }
}

template <std::size_t... i>
std::span<const Case> cases_of(std::index_sequence<i...>) {
  static const std::array<Case, sizeof...(i) + 2> cases = {Case{question_pairs()[i].name, answer_pair<i>}...,
                                                           Case{"every_pair_is_listed", every_pair_is_listed},
                                                           Case{"leak_by_question", leak_by_question}};
  return cases;
}

}  // namespace

std::span<const Case> session_cases() { return cases_of(std::make_index_sequence<k_question_pairs>()); }

}  // namespace sotto

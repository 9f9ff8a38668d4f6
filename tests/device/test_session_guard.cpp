// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// One draw for a round, whatever the caller does: several sessions, hooks that call back, buffers that lie over each other.
#include <span>

#include "ledger_kit.hpp"
#include "seeded_entropy.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/session/session.hpp"
#include "study_kit.hpp"
#include "unity.h"

extern "C" {
void setUp();
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr std::uint32_t k_features = 8, k_rows = 20;
constexpr Policy k_policy{{6 * k_epsilon_one, 0}, {10 * k_epsilon_one, 0}};
const Question* const k_questions[] = {&k_vote_screen};

PlainFlash<1024> memory;
Flash flash;
LedgerHooks ledger_hooks;
SessionHooks hooks;
SeededEntropy entropy{1};
alignas(8) std::byte work[4096], other_work[256];
std::uint8_t out[64], other_out[64];
std::uint32_t reads;  // of samples

// What a hook does in the middle of a call.
Ledger* ledger_in_use;
Session* session_in_use;
VoteStudy* study_in_use;
bool meddling;
std::uint32_t meddled, believed;  // how often a hook called back, and was not refused

void expect(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}
LocalData given(std::uint32_t answer) { return {{}, answer}; }

void meddle() {
  if (!meddling || session_in_use == nullptr) return;
  meddling = false;  // once is enough, and a hook that a hook calls stays quiet
  ++meddled;
  std::size_t bytes = 0;
  Session& s = *session_in_use;
  const auto refused = [](Status status) { believed += status == Status::reentered ? 0u : 1u; };
  refused(s.send(other_out, bytes));
  refused(s.prepare(study_in_use->round_bytes(), given(1), other_work));
  refused(s.answer(study_in_use->round_bytes(), given(1), other_work, other_out, bytes));
  refused(s.acknowledge(1));
  refused(s.open(study_in_use->manifest_bytes(), *ledger_in_use, hooks));
  s.close();
}

bool read_row(void*, std::uint32_t, std::uint32_t, std::uint32_t count, Q15* to) {
  ++reads;
  meddle();
  for (std::uint32_t j = 0; j < count; ++j) to[j] = static_cast<Q15>(100 * j);
  return true;
}
LocalData hooked() { return {{k_rows, k_features, nullptr, 0, nullptr, read_row}, 3}; }

void make_ledger(Ledger& ledger, const VoteStudy& study) {
  expect(Status::ok, ledger.create(flash, ledger_hooks, k_policy, birth_entropy()));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, ledger.enrol(study.digest, study.credential));
}

void test_the_number_of_answers_holds_for_all_sessions_together() {
  VoteStudy study{k_features}, later{k_features};  // one answer
  later.round.number = 2;
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session first, second;
  std::size_t bytes = 0;
  expect(Status::ok, first.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, second.open(later.manifest_bytes(), ledger, hooks));
  expect(Status::ok, first.prepare(study.round_bytes(), given(1), work));
  expect(Status::ok, second.prepare(later.round_bytes(), given(1), other_work));
  expect(Status::ok, first.send(out, bytes));
  expect(Status::over_answers, second.send(other_out, bytes));
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == study.manifest.epsilon);
}

void test_consent_and_caps_hold_when_the_money_is_taken() {
  VoteStudy study{k_features, true, 2};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.prepare(study.round_bytes(), given(1), work));
  expect(Status::ok, ledger.set_consent(false));
  expect(Status::consent_off, session.send(out, bytes));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, session.prepare(study.round_bytes(), given(1), work));
  expect(Status::ok, ledger.set_policy({{k_epsilon_one, 0}, {9 * k_epsilon_one, 0}}));
  expect(Status::over_study_cap, session.send(out, bytes));
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
}

// -- Coins ------------------------------------------------------------------------------------------------------------

/// Seeds that tell nothing new: a secret of the device XOR a counter, or the same two again and again.
struct WeakEntropy {
  std::uint64_t secret = 0;
  bool counts = false;
  std::uint32_t calls = 0;
  EntropySource source() {
    return {this, [](void*) { return true; },
            [](void* self, std::uint8_t* to, std::size_t n) {
              auto& weak = *static_cast<WeakEntropy*>(self);
              SeededEntropy bytes{weak.secret};
              for (std::size_t i = 0; i < n; ++i) to[i] = bytes.byte();
              to[0] = static_cast<std::uint8_t>(to[0] ^ (weak.counts ? weak.calls : weak.calls & 1u));
              ++weak.calls;
              return true;
            }};
  }
};

/// The payload of one round of a plain study: nothing but the answer, the coins and the public numbers decide it.
std::uint8_t payload_of(Session& session, VoteStudy& study, std::uint16_t round) {
  std::size_t bytes = 0;
  study.round.number = round;
  expect(Status::ok, session.answer(study.round_bytes(), given(5), work, out, bytes));
  return out[k_header_bytes];
}

/// Refuses once, at the entry that is counted down to.
struct TryLock {
  std::uint32_t until_refused = ~0u;
  Lock lock{this,
            [](void* self) {
              auto& left = static_cast<TryLock*>(self)->until_refused;
              return left-- != 0;
            },
            [](void*) {}};
};

// Coins without the ledger's secret are no coins: a lock that is held elsewhere refuses the round, and nothing is charged.
void test_a_lock_that_refuses_the_secret_refuses_the_round() {
  memory.blank();
  VoteStudy study{k_features, false, 4};
  SeededEntropy good{77};
  hooks.entropy = good.source();
  TryLock held;
  LedgerHooks locked;
  locked.lock = &held.lock;
  RoomyLedger<> ledger;
  expect(Status::ok, ledger.create(flash, locked, k_policy, good.source()));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, ledger.enrol(study.digest, study.credential));
  Session session;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  study.round.number = 1;
  held.until_refused = 1;  // may_charge() gets it, stir() does not
  expect(Status::busy, session.prepare(study.round_bytes(), given(3), work));
  held.until_refused = ~0u;
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
  expect(Status::ok, session.prepare(study.round_bytes(), given(3), work));
}

// Nine categories, the true one with odds 0.48: fifteen others the same by chance once in 60,000; and the seeds are fixed.
void test_a_secret_under_a_counter_is_a_good_source() {
  VoteStudy study{k_features, false};
  std::uint32_t same = 0;
  std::uint8_t first = 0;
  for (std::uint32_t device = 0; device < 16; ++device) {
    memory.blank();
    WeakEntropy weak{1000 + device, true};
    hooks.entropy = weak.source();
    RoomyLedger<> ledger;
    make_ledger(ledger, study);  // with the same entropy for all
    Session session;
    expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
    const std::uint8_t payload = payload_of(session, study, 1);
    if (device == 0) first = payload;
    same += payload == first ? 1u : 0u;
  }
  TEST_ASSERT_LESS_THAN_UINT32(16, same);
}

void test_a_source_that_died_after_the_ledger_was_created_is_hedged() {
  constexpr std::uint32_t k_devices = 16, k_rounds = 16;
  constexpr Policy k_wide{{100 * k_epsilon_one, 0}, {100 * k_epsilon_one, 0}};
  VoteStudy study{k_features, false, k_rounds};
  std::uint8_t payloads[k_devices][k_rounds];
  for (std::uint32_t device = 0; device < k_devices; ++device) {
    memory.blank();
    SeededEntropy good{2000 + device};
    WeakEntropy dead{7, false};
    hooks.entropy = dead.source();
    RoomyLedger<> ledger;
    expect(Status::ok, ledger.create(flash, ledger_hooks, k_wide, good.source()));
    expect(Status::ok, ledger.set_consent(true));
    expect(Status::ok, ledger.enrol(study.digest, study.credential));
    Session session;
    for (std::uint16_t round = 1; round <= k_rounds; ++round) {
      if (round == 9) expect(Status::ok, ledger.open(flash, ledger_hooks));  // a reboot
      if (round == 1 || round == 9) expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
      payloads[device][round - 1] = payload_of(session, study, round);
    }
  }
  std::uint32_t same_devices = 0, same_rounds = 0;
  for (std::uint32_t i = 0; i < 16; ++i) {
    same_devices += payloads[i][0] == payloads[0][0] ? 1u : 0u;
    same_rounds += payloads[0][i] == payloads[0][0] ? 1u : 0u;
  }
  TEST_ASSERT_LESS_THAN_UINT32(16, same_devices);
  TEST_ASSERT_LESS_THAN_UINT32(16, same_rounds);
}

// -- Hooks that call back ---------------------------------------------------------------------------------------------

bool (*real_program)(void*, std::uint32_t, const std::uint8_t*, std::uint32_t);
bool (*real_read)(void*, std::uint8_t*, std::size_t);
Status in_ledger;

bool programs(void* context, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) {
  if (meddling && session_in_use != nullptr) in_ledger = ledger_in_use->set_consent(false);
  meddle();
  return real_program(context, address, data, bytes);
}
bool draws(void* context, std::uint8_t* to, std::size_t bytes) {
  meddle();
  return real_read(context, to, bytes);
}
bool vouches(void*, const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t) {
  meddle();
  return true;
}
bool seals(void*, const AeadText* text) {
  meddle();
  aead_seal(*text);
  return true;
}
bool locks(void*) {
  meddle();
  return true;
}
void unlocks(void*) { meddle(); }

enum class Meddler { in_flash, in_entropy, in_verify, in_samples, in_seal, in_lock };

void a_hook_that_calls_back_changes_nothing(Meddler which) {
  memory.blank();
  flash = memory.flash();
  entropy = SeededEntropy{1};
  hooks = {entropy.source(), k_questions, {}, {}};
  const Lock lock{nullptr, locks, unlocks};
  ledger_hooks = {};
  real_program = flash.program;
  real_read = hooks.entropy.read;
  if (which == Meddler::in_flash) flash.program = programs;
  if (which == Meddler::in_entropy) hooks.entropy.read = draws;
  if (which == Meddler::in_verify) hooks.verify = {nullptr, vouches};
  if (which == Meddler::in_seal) hooks.aead = {nullptr, seals};
  if (which == Meddler::in_lock) ledger_hooks.lock = &lock;
  meddled = believed = 0;
  session_in_use = nullptr;

  VoteStudy study{k_features};
  study.round.recipe = Recipe::screen;
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  ledger_in_use = &ledger;
  session_in_use = &session;
  study_in_use = &study;
  const std::span<const std::uint8_t> round = study.round_bytes();
  for (int call = 0; call < 2; ++call) {
    meddling = true;
    expect(Status::ok, call == 0 ? session.prepare(round, hooked(), work) : session.send(out, bytes));
    meddling = false;
  }
  TEST_ASSERT_GREATER_THAN_UINT32(0, meddled);
  TEST_ASSERT_EQUAL_UINT32(0, believed);
  if (which == Meddler::in_flash) expect(Status::busy, in_ledger);
  session_in_use = nullptr;
  TEST_ASSERT_TRUE(ledger.consent());
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == study.manifest.epsilon);
  Digest digest;
  sha256(study.round_bytes(), digest);
  TEST_ASSERT_TRUE(open_report(study.credential.key, {study.digest, digest}, {out, bytes}));
}

void test_a_hook_that_calls_back_is_refused() {
  for (const Meddler which : {Meddler::in_flash, Meddler::in_entropy, Meddler::in_verify, Meddler::in_samples,
                              Meddler::in_seal, Meddler::in_lock})
    a_hook_that_calls_back_changes_nothing(which);
}

// -- Buffers ----------------------------------------------------------------------------------------------------------

void test_buffers_that_lie_over_each_other_charge_nothing() {
  struct Everything {
    alignas(8) std::byte space[256];
    std::uint8_t round[128], manifest[128];
  };
  static Everything all;
  Session session;
  RoomyLedger<> ledger;
  VoteStudy study{k_features};
  make_ledger(ledger, study);
  const auto copy = [](std::span<const std::uint8_t> from, std::uint8_t* to) {
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = from[i];
    return std::span<const std::uint8_t>{to, from.size()};
  };
  const std::span<const std::uint8_t> manifest = copy(study.manifest_bytes(), all.manifest);
  const std::span<const std::uint8_t> round = copy(study.round_bytes(), all.round);
  expect(Status::ok, session.open(manifest, ledger, hooks));
  std::uint8_t* const in_memory = reinterpret_cast<std::uint8_t*>(const_cast<StudyEntry*>(ledger.study(study.digest)));
  const std::span<std::uint8_t> clashing[] = {
      {reinterpret_cast<std::uint8_t*>(all.space), 64},
      {reinterpret_cast<std::uint8_t*>(all.space) + 248, 64},  // its end, and the round
      {all.round + round.size() - 1, 64},
      {all.manifest, 64},
      {reinterpret_cast<std::uint8_t*>(&session) + sizeof session - 1, 64},
      {reinterpret_cast<std::uint8_t*>(static_cast<Ledger*>(&ledger)), 64},
      {in_memory, 64},
      {reinterpret_cast<std::uint8_t*>(&all), sizeof all},
      {out, ~std::size_t{0}},  // no memory is that long
  };
  std::size_t bytes = 77;
  reads = 0;
  for (const std::span<std::uint8_t>& report : clashing) {
    study.round.recipe = Recipe::given;
    expect(Status::overlapping_buffers, session.answer(round, hooked(), all.space, report, bytes));
    expect(Status::not_prepared, session.send(out, bytes));
    expect(Status::ok, session.prepare(round, given(1), all.space));
    expect(Status::overlapping_buffers, session.send(report, bytes));
  }
  for (const std::span<std::uint8_t>& space : std::span{clashing}.subspan(2)) {
    const std::span<std::byte> bad{reinterpret_cast<std::byte*>(space.data()), space.size()};
    expect(Status::overlapping_buffers, session.prepare(round, given(1), bad));
  }
  TEST_ASSERT_EQUAL_UINT32(0, reads);
  TEST_ASSERT_EQUAL_UINT(77, bytes);
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
  expect(Status::ok, session.prepare(round, given(1), all.space));
  expect(Status::ok, session.send(out, bytes));
  expect(Status::ok, session.prepare(round, given(1), all.space));
  expect(Status::overlapping_buffers, session.send({in_memory, 64}, bytes));  // a stored report as well
}

void test_a_short_buffer_is_refused_before_the_first_sample() {
  VoteStudy study{k_features};
  study.round.recipe = Recipe::screen;
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 77;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::short_buffer, session.answer(study.round_bytes(), hooked(), work, std::span{out}.first(32), bytes));
  TEST_ASSERT_EQUAL_UINT32(0, reads);
  TEST_ASSERT_EQUAL_UINT(77, bytes);
  expect(Status::ok, session.answer(study.round_bytes(), hooked(), work, std::span{out}.first(33), bytes));
}

void test_a_work_space_that_another_session_took_is_refused() {
  VoteStudy study{k_features, true, 4}, other{k_features, true, 3};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  expect(Status::ok, ledger.enrol(other.digest, other.credential));
  Session first, second;
  std::size_t bytes = 77;
  expect(Status::ok, first.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, second.open(other.manifest_bytes(), ledger, hooks));
  const std::span<const std::uint8_t> round = study.round_bytes(), other_round = other.round_bytes();

  // A second answer in the place of the first.
  expect(Status::ok, first.prepare(round, given(1), work));
  expect(Status::ok, second.prepare(other_round, given(2), work));
  expect(Status::work_space_lost, first.send(out, bytes));
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
  TEST_ASSERT_EQUAL_UINT(77, bytes);
  expect(Status::ok, second.send(out, bytes));
  expect(Status::work_space_lost, first.send(out, bytes));  // the second one's is wiped

  // The first one leaves, and wipes what it kept: by then it is the second one's.
  other.round.number = 2;
  const std::span<const std::uint8_t> later = other.round_bytes();
  expect(Status::ok, first.prepare(round, given(1), work));
  expect(Status::ok, second.prepare(later, given(2), work));
  first.close();
  expect(Status::work_space_lost, second.send(out, bytes));
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == other.manifest.epsilon);
  expect(Status::ok, second.prepare(later, given(2), work));
  expect(Status::ok, second.send(out, bytes));

  // A second session that is refused has written nothing.
  other.round.number = 3;
  expect(Status::ok, first.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, first.prepare(round, given(1), work));
  hooks.entropy.ready = [](void*) { return false; };
  expect(Status::entropy_not_ready, second.prepare(other.round_bytes(), given(2), work));
  hooks.entropy.ready = entropy.source().ready;
  expect(Status::ok, first.send(out, bytes));
}

// Nothing but the answer lies in the work space. Who overwrites it gets the report of another answer, through the same channel.
void test_what_is_written_over_a_work_space_is_an_answer_and_no_more() {
  std::uint8_t reports[2][64];
  std::size_t bytes = 0;
  for (std::uint32_t written = 0; written < 2; ++written) {
    memory.blank();
    entropy = SeededEntropy{1};
    hooks.entropy = entropy.source();
    VoteStudy study{k_features, false};
    RoomyLedger<> ledger;
    make_ledger(ledger, study);
    Session session;
    expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
    expect(Status::ok, session.prepare(study.round_bytes(), given(written != 0 ? 1 : ~0u), work));
    for (std::size_t i = sizeof(WorkTag); written != 0 && i < sizeof work; ++i) work[i] = std::byte{0xff};
    expect(Status::ok, session.send(reports[written], bytes));
  }
  TEST_ASSERT_EQUAL_UINT8_ARRAY(reports[0], reports[1], bytes);
}

// -- Enrolment and the end of a session -------------------------------------------------------------------------------

bool rejects(void* asked, const std::uint8_t*, std::size_t, const std::uint8_t*, std::size_t) {
  ++*static_cast<std::uint32_t*>(asked);
  return false;
}

void test_nothing_is_enrolled_that_the_verify_hook_rejects() {
  VoteStudy sealed{k_features}, plain{k_features, false};
  RoomyLedger<> ledger;
  expect(Status::ok, ledger.create(flash, ledger_hooks, k_policy, birth_entropy()));
  std::uint32_t asked = 0;
  hooks.verify = {&asked, rejects};
  expect(Status::bad_signature, enrol(ledger, sealed.manifest_bytes(), sealed.credential, hooks));
  expect(Status::bad_signature, enrol_plain(ledger, plain.manifest_bytes(), hooks));
  TEST_ASSERT_EQUAL_UINT32(2, asked);
  TEST_ASSERT_EQUAL_UINT32(0, ledger.studies());
  hooks.verify = {};
  expect(Status::ok, enrol(ledger, sealed.manifest_bytes(), sealed.credential, hooks));
  expect(Status::ok, enrol_plain(ledger, plain.manifest_bytes(), hooks));
  TEST_ASSERT_EQUAL_UINT32(2, ledger.studies());
}

// Two sessions that differ in nothing but their coins leave the same bytes when they close.
void test_a_closed_session_holds_nothing_of_its_coins() {
  alignas(Session) static std::byte places[sizeof(Session)];
  static std::uint8_t left[2][sizeof(Session)];
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  for (std::uint32_t i = 0; i < 2; ++i) {
    SeededEntropy coins{50 + i};
    hooks.entropy = coins.source();
    auto* const session = new (places) Session;
    expect(Status::ok, session->open(study.manifest_bytes(), ledger, hooks));
    expect(Status::ok, session->prepare(study.round_bytes(), given(1), work));
    session->close();
    const volatile std::byte* const bytes = places;
    for (std::size_t b = 0; b < sizeof places; ++b) left[i][b] = static_cast<std::uint8_t>(bytes[b]);
  }
  TEST_ASSERT_EQUAL_UINT8_ARRAY(left[0], left[1], sizeof(Session));
}

}  // namespace

void setUp() {
  memory.blank();
  flash = memory.flash();
  ledger_hooks = {};
  entropy = SeededEntropy{1};
  hooks = {entropy.source(), k_questions, {}, {}};
  reads = 0;
  meddling = false;
  session_in_use = nullptr;
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_the_number_of_answers_holds_for_all_sessions_together);
  RUN_TEST(test_consent_and_caps_hold_when_the_money_is_taken);
  RUN_TEST(test_a_secret_under_a_counter_is_a_good_source);
  RUN_TEST(test_a_lock_that_refuses_the_secret_refuses_the_round);
  RUN_TEST(test_a_source_that_died_after_the_ledger_was_created_is_hedged);
  RUN_TEST(test_a_hook_that_calls_back_is_refused);
  RUN_TEST(test_buffers_that_lie_over_each_other_charge_nothing);
  RUN_TEST(test_a_short_buffer_is_refused_before_the_first_sample);
  RUN_TEST(test_a_work_space_that_another_session_took_is_refused);
  RUN_TEST(test_what_is_written_over_a_work_space_is_an_answer_and_no_more);
  RUN_TEST(test_nothing_is_enrolled_that_the_verify_hook_rejects);
  RUN_TEST(test_a_closed_session_holds_nothing_of_its_coins);
  return UNITY_END();
}

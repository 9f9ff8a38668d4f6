// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What a session tells about a round before it is answered: whom it asks, where this device stands, when it is open.
#include <span>

#include "ledger_kit.hpp"
#include "seeded_entropy.hpp"
#include "sotto.h"
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

constexpr std::uint32_t k_features = 8;
constexpr Policy k_policy{{6 * k_epsilon_one, 0}, {10 * k_epsilon_one, 0}};
constexpr RoundTimes k_times{1'800'000'000, 1'800'086'400};
const Question* const k_questions[] = {&k_vote};

PlainFlash<1024> memory;
Flash flash;
LedgerHooks ledger_hooks;
SessionHooks hooks;
SeededEntropy entropy{1};
alignas(8) std::byte work[4096];
std::uint8_t out[64];
std::uint64_t now;
bool knows_time;
std::uint32_t clock_reads;

void expect(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}
void expect(RoundState expected, const Session& session, VoteStudy& study) {
  RoundInfo info;
  expect(Status::ok, session.about(study.round_bytes(), info));
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(info.state));
  TEST_ASSERT_EQUAL_UINT16(study.round.number, info.number);
}

void make_ledger(Ledger& ledger, const VoteStudy& study) {
  expect(Status::ok, ledger.create(flash, ledger_hooks, k_policy, birth_entropy()));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, ledger.enrol(study.digest, study.credential));
}

bool tell_time(void*, std::uint64_t* seconds) {
  ++clock_reads;
  *seconds = now;
  return knows_time;
}
const Clock k_clock{nullptr, tell_time};

void test_the_state_follows_an_answer_to_its_end() {
  VoteStudy study{k_features, true, 2};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  RoundInfo info;
  std::size_t bytes = 0;
  expect(Status::not_prepared, session.about(study.round_bytes(), info));
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  study.round.number = 2;
  expect(RoundState::free, session, study);
  expect(Status::ok, session.answer(study.round_bytes(), {}, work, out, bytes));
  expect(RoundState::kept, session, study);
  expect(Status::ok, session.acknowledge(2));
  expect(RoundState::acknowledged, session, study);
  study.round.number = 1;
  expect(RoundState::passed, session, study);
  study.round.number = 3;
  expect(RoundState::free, session, study);
  expect(Status::ok, session.answer(study.round_bytes(), {}, work, out, bytes));
  study.round.number = 4;
  expect(RoundState::over, session, study);
  expect(Status::over_answers, session.answer(study.round_bytes(), {}, work, out, bytes));
  expect(Status::ok, ledger.open(flash, ledger_hooks));
  expect(Status::stale_session, session.about(study.round_bytes(), info));
}

void test_a_charge_without_a_report_is_lost() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Answer charged{&study.digest, 1, 1, {study.manifest.epsilon, 0}, nullptr, 33};
  expect(Status::ok, ledger.charge(charged));
  Session session;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(RoundState::lost, session, study);
}

void test_asking_writes_nothing_and_leaves_a_prepared_answer_alone() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.prepare(study.round_bytes(), {}, work));
  const std::uint32_t writes = memory.writes();
  expect(RoundState::free, session, study);
  TEST_ASSERT_EQUAL_UINT32(writes, memory.writes());
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
  expect(Status::ok, session.send(out, bytes));
}

void test_a_round_says_whom_it_asks() {
  VoteStudy study{k_features};
  study.manifest.cohorts = 2;
  study.weights[2] = 1;
  study.write();
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  RoundInfo info;
  for (const std::uint8_t cohort : {std::uint8_t{0}, std::uint8_t{1}, k_every_cohort}) {
    study.round.cohort = cohort;
    expect(Status::ok, session.about(study.round_bytes(), info));
    TEST_ASSERT_EQUAL_UINT8(cohort, info.cohort);
    TEST_ASSERT_EQUAL_UINT8(1, static_cast<std::uint8_t>(info.question));
    const Status prepared = session.prepare(study.round_bytes(), {}, work);
    TEST_ASSERT_EQUAL(info.is_for_this_device, prepared == Status::ok);
    if (!info.is_for_this_device) expect(Status::not_in_cohort, prepared);
  }
  static_cast<void>(bytes);
  study.round.study[0] ^= 1;
  expect(Status::foreign_study, session.about(study.round_bytes(), info));
}

void test_a_device_sends_within_the_times_of_a_round() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  RoundInfo info;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.about(study.round_bytes(), info));
  TEST_ASSERT_TRUE(info.times.opens == 0 && info.times.closes == 0 && info.send_at == 0);
  study.times = k_times;
  expect(Status::ok, session.about(study.round_bytes(), info));
  TEST_ASSERT_TRUE(info.times.opens == k_times.opens && info.times.closes == k_times.closes);
  TEST_ASSERT_TRUE(info.send_at == k_times.opens + (std::uint64_t{86'400} * session.slot(1) >> 32));
  TEST_ASSERT_TRUE(send_time({5, 5 + (std::uint64_t{1} << 40)}, ~std::uint32_t{0}) < 5 + (std::uint64_t{1} << 40));
  study.times = {k_times.closes, k_times.opens};
  expect(Status::bad_field, session.about(study.round_bytes(), info));
}

void test_a_clock_refuses_rounds_that_are_not_open() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  hooks.clock = &k_clock;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.prepare(study.round_bytes(), {}, work));  // no times: the clock is not asked
  TEST_ASSERT_EQUAL_UINT32(0, clock_reads);
  study.times = k_times;
  knows_time = false;
  expect(Status::clock_not_set, session.prepare(study.round_bytes(), {}, work));
  knows_time = true;
  now = k_times.opens - 1;
  expect(Status::round_not_open, session.prepare(study.round_bytes(), {}, work));
  now = k_times.closes;
  expect(Status::round_closed, session.answer(study.round_bytes(), {}, work, out, bytes));
  study.times = {k_times.closes, k_times.closes};
  expect(Status::bad_field, session.prepare(study.round_bytes(), {}, work));
  study.times = k_times;
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
  now = k_times.closes - 1;
  expect(Status::ok, session.answer(study.round_bytes(), {}, work, out, bytes));
  now = k_times.closes;  // what is stored may still be sent again
  expect(Status::ok, session.answer(study.round_bytes(), {}, work, out, bytes));
  hooks.clock = nullptr;
}

void test_the_work_space_that_a_session_tells_is_the_least() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t needed = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  for (const Recipe recipe : {Recipe::given, Recipe::screen, Recipe::largest_mean}) {
    study.round.recipe = recipe;
    for (const bool mapped : {true, false}) {
      expect(Status::ok, session.work_bytes(study.round_bytes(), mapped, needed));
      TEST_ASSERT_LESS_OR_EQUAL_UINT(sizeof work, needed);
      LocalData local;
      if (!mapped) local.samples.read = [](void*, std::uint32_t, std::uint32_t, std::uint32_t, Q15*) { return false; };
      expect(Status::ok, session.prepare(study.round_bytes(), local, std::span{work}.first(needed)));
      expect(Status::short_buffer, session.prepare(study.round_bytes(), local, std::span{work}.first(needed - 8)));
    }
  }
  static_assert(SOTTO_VOTE_GIVEN_WORK_BYTES <= sizeof work);
  study.round.recipe = Recipe::given;
  expect(Status::ok, session.work_bytes(study.round_bytes(), true, needed));
  TEST_ASSERT_LESS_OR_EQUAL_UINT(SOTTO_VOTE_GIVEN_WORK_BYTES, needed);
}

void test_a_manifest_says_how_long_reports_can_be() {
  VoteStudy study{k_features};
  const auto bytes = [&study] {
    study.write();
    return sotto_report_bytes(study.manifest_bytes().data(), study.manifest_bytes().size());
  };
  TEST_ASSERT_EQUAL_UINT(33, bytes());
  study.manifest.features = 256;
  TEST_ASSERT_EQUAL_UINT(SOTTO_VOTE_REPORT_BYTES, bytes());
  study.manifest.questions |= 1u << static_cast<unsigned>(QuestionKind::direction);
  TEST_ASSERT_EQUAL_UINT(SOTTO_OUTCOME_REPORT_BYTES, bytes());
  study.manifest.questions |= 1u << static_cast<unsigned>(QuestionKind::update);
  TEST_ASSERT_EQUAL_UINT(SOTTO_OUTCOME_REPORT_BYTES, bytes());
  study.manifest.delta = 1;
  TEST_ASSERT_EQUAL_UINT(SOTTO_NOISY_REPORT_BYTES(256), bytes());
  study.manifest.features = 1000;
  TEST_ASSERT_EQUAL_UINT(SOTTO_REPORT_BYTES_MAX, bytes());
  TEST_ASSERT_EQUAL_UINT(SOTTO_REPORT_BYTES_MAX, sotto_report_bytes(study.seed, sizeof study.seed));
}

}  // namespace

void setUp() {
  memory.blank();
  flash = memory.flash();
  entropy = SeededEntropy{1};
  hooks = {};
  hooks.entropy = entropy.source();
  hooks.questions = k_questions;
  knows_time = true;
  clock_reads = 0;
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_the_state_follows_an_answer_to_its_end);
  RUN_TEST(test_a_charge_without_a_report_is_lost);
  RUN_TEST(test_asking_writes_nothing_and_leaves_a_prepared_answer_alone);
  RUN_TEST(test_a_round_says_whom_it_asks);
  RUN_TEST(test_a_device_sends_within_the_times_of_a_round);
  RUN_TEST(test_a_clock_refuses_rounds_that_are_not_open);
  RUN_TEST(test_the_work_space_that_a_session_tells_is_the_least);
  RUN_TEST(test_a_manifest_says_how_long_reports_can_be);
  return UNITY_END();
}

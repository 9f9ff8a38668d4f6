// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// From a round to the bytes to send: order of effects, refusals, retransmission, and the same bytes on every target.
#include <initializer_list>
#include <span>

#include "ledger_kit.hpp"
#include "result_digest.hpp"
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
const Question* const k_questions[] = {&k_vote};

PlainFlash<1024> memory;
Flash flash;
LedgerHooks ledger_hooks;
SessionHooks hooks;
SeededEntropy entropy{1};
Q15 table[k_rows * (k_features + 1)];
alignas(8) std::byte work[5632];
std::uint8_t out[64], again[64];
std::uint32_t reads;  // of samples

void expect(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}

bool read_row(void*, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* to) {
  ++reads;
  for (std::uint32_t j = 0; j < count; ++j) to[j] = table[row * (k_features + 1) + first + j];
  return true;
}
LocalData hooked() { return {{k_rows, k_features, nullptr, 0, nullptr, read_row}, 3}; }
LocalData given(std::uint32_t answer) { return {{}, answer}; }

void ask(VoteStudy& study, Recipe recipe, std::uint32_t lambda, std::uint32_t how = 0) {
  study.round.recipe = recipe;
  if (recipe != Recipe::lasso && recipe != Recipe::scad) return;
  study.round.parameter[recipe::selection::columns] = 6;
  study.round.parameter[recipe::selection::lambda] = lambda;
  study.round.parameter[recipe::selection::pick] = how;
  study.round.parameter[recipe::selection::visits] = 500;
}

void make_ledger(Ledger& ledger, const VoteStudy& study, const Policy& policy = k_policy) {
  expect(Status::ok, ledger.create(flash, ledger_hooks, policy, birth_entropy()));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, ledger.enrol(study.digest, study.credential));
}

void test_one_call_gives_a_report_that_opens_with_the_key() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.answer(study.round_bytes(), given(5), work, out, bytes));
  TEST_ASSERT_EQUAL_UINT(report_bytes_of(1, true), bytes);
  ReportHeader header;
  expect(Status::ok, decode_header({out, bytes}, header));
  TEST_ASSERT_TRUE(header.question == QuestionKind::vote && header.authenticated && header.round == 1);
  TEST_ASSERT_TRUE(header.pseudonym == VoteStudy::k_pseudonym);
  TEST_ASSERT_EQUAL_UINT32(load_u32(study.digest.data()), header.study_prefix);
  Digest round;
  Sha256 hash;
  hash.add(study.round_bytes());
  hash.finish(round);
  TEST_ASSERT_TRUE(open_report(study.credential.key, {study.digest, round}, {out, bytes}));
  TEST_ASSERT_TRUE(out[k_header_bytes] <= k_features);  // GRR over nine categories
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == study.manifest.epsilon);
}

void test_sizes_are_those_promised() {
  VoteStudy sealed{1000}, plain{1000, false};
  for (VoteStudy* study : {&sealed, &plain}) {
    memory.blank();
    RoomyLedger<> ledger;
    make_ledger(ledger, *study);
    Session session;
    std::size_t bytes = 0;
    expect(Status::ok, session.open(study->manifest_bytes(), ledger, hooks));
    expect(Status::ok, session.answer(study->round_bytes(), given(5), work, out, bytes));
    TEST_ASSERT_TRUE(bytes <= (study == &sealed ? 34u : 18u));
  }
}

void test_asking_again_gives_the_stored_bytes_and_costs_nothing() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  std::size_t bytes = 0, more = 0;
  {
    Session session;
    expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
    expect(Status::ok, session.answer(study.round_bytes(), given(5), work, out, bytes));
    expect(Status::ok, session.send(again, more));
    TEST_ASSERT_EQUAL_UINT8_ARRAY(out, again, bytes);
  }
  RoomyLedger<> reopened;  // after a reboot
  expect(Status::ok, reopened.open(flash, ledger_hooks));
  Session session;
  expect(Status::ok, session.open(study.manifest_bytes(), reopened, hooks));
  expect(Status::ok, session.answer(study.round_bytes(), given(2), work, again, more));
  TEST_ASSERT_EQUAL_UINT(bytes, more);
  TEST_ASSERT_EQUAL_UINT8_ARRAY(out, again, bytes);
  TEST_ASSERT_TRUE(reopened.total_spent().epsilon == study.manifest.epsilon);
  expect(Status::ok, session.acknowledge(1));
  expect(Status::already_answered, session.answer(study.round_bytes(), given(2), work, again, more));
}

void test_a_cut_between_charge_and_store_spends_for_ever() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  StudyEntry* entry = nullptr;
  expect(Status::ok, find_study(ledger, study.digest, entry));
  expect(Status::ok, charge(ledger, entry, 1, {study.manifest.epsilon, 0}, 40));
  RoomyLedger<> reopened;
  expect(Status::ok, reopened.open(flash, ledger_hooks));
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), reopened, hooks));
  expect(Status::spent_unsent, session.answer(study.round_bytes(), given(5), work, out, bytes));
}

// Everything that can be refused is refused before a sample is read, before a coin is drawn and before a charge.
void test_refusals_come_before_the_first_sample() {
  VoteStudy study{k_features};
  study.manifest.cohorts = 2;
  study.weights[2] = 1;
  study.write();
  study.round.recipe = Recipe::screen;
  RoomyLedger<> ledger;
  make_ledger(ledger, study, {{3 * k_epsilon_one, 0}, {3 * k_epsilon_one, 0}});
  Session session;
  std::size_t bytes = 77;
  const auto refused = [&](Status expected, std::span<std::byte> space = work) {
    expect(expected, session.prepare(study.round_bytes(), hooked(), space));
    expect(Status::not_prepared, session.send(out, bytes));
  };
  expect(Status::not_prepared, session.prepare(study.round_bytes(), hooked(), work));
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));

  const std::uint32_t mine = cohort_of(study.manifest, VoteStudy::k_pseudonym);
  study.round.cohort = static_cast<std::uint8_t>(1 - mine);
  refused(Status::not_in_cohort);
  study.round.cohort = static_cast<std::uint8_t>(mine);
  Digest foreign = study.digest;
  foreign[31] ^= 1;  // beyond the prefix that travels
  study.round.study = foreign;
  refused(Status::foreign_study);
  study.round.study = study.digest;
  study.round.question = QuestionKind::label;
  refused(Status::unsupported_question);
  study.round.question = QuestionKind::vote;
  study.round.spec[3] += 1000;
  refused(Status::overspent);
  study.round.spec[3] -= 1000;
  study.round.spec[0] = k_features + 1;
  refused(Status::bad_dimension);
  study.round.spec[0] = k_features;
  study.round.recipe = Recipe::means;
  refused(Status::unsupported_question);
  study.round.recipe = Recipe::screen;
  refused(Status::short_buffer, std::span{work}.first(64));
  hooks.entropy = {};
  refused(Status::entropy_not_ready);
  hooks.entropy = entropy.source();
  expect(Status::ok, ledger.set_consent(false));
  refused(Status::consent_off);
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, ledger.set_policy({{k_epsilon_one, 0}, {9 * k_epsilon_one, 0}}));
  refused(Status::over_study_cap);
  expect(Status::ok, ledger.set_policy({{9 * k_epsilon_one, 0}, {k_epsilon_one, 0}}));
  refused(Status::over_total_cap);
  expect(Status::ok, ledger.set_policy(k_policy));
  TEST_ASSERT_EQUAL_UINT32(0, reads);
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == 0);
  TEST_ASSERT_EQUAL_UINT(77, bytes);

  expect(Status::ok, session.answer(study.round_bytes(), hooked(), work, out, bytes));
  TEST_ASSERT_TRUE(reads > 0);
}

void test_a_report_without_room_in_the_ledger_is_refused_before_the_first_sample() {
  VoteStudy study{k_features};
  study.round.recipe = Recipe::screen;
  RoomyLedger<1, 1> small;  // 2 bytes: the rest of a line
  make_ledger(small, study);
  Session session;
  expect(Status::ok, session.open(study.manifest_bytes(), small, hooks));
  expect(Status::bad_report_size, session.prepare(study.round_bytes(), hooked(), work));
  TEST_ASSERT_EQUAL_UINT32(0, reads);
  TEST_ASSERT_TRUE(small.total_spent() == Charge{});
}

// Another round acknowledged between prepare() and send() changes nothing: the answer belongs to its own round.
void test_an_acknowledgement_in_between_does_not_move_the_answer() {
  VoteStudy study{k_features, true, 2};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.answer(study.round_bytes(), given(1), work, out, bytes));
  study.round.number = 3;
  expect(Status::ok, session.prepare(study.round_bytes(), given(1), work));
  expect(Status::ok, session.acknowledge(1));
  expect(Status::not_answered, session.acknowledge(2));
  expect(Status::ok, session.send(out, bytes));
  ReportHeader header;
  expect(Status::ok, decode_header({out, bytes}, header));
  TEST_ASSERT_EQUAL(3, header.round);
  expect(Status::ok, session.acknowledge(3));
}

// A ledger that closed has wiped its memory; one that was opened anew may be another.
void test_a_session_ends_with_the_ledger_that_it_was_opened_with() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.prepare(study.round_bytes(), given(1), work));
  ledger.close();
  expect(Status::no_ledger, session.send(out, bytes));
  expect(Status::no_ledger, session.prepare(study.round_bytes(), given(1), work));
  expect(Status::no_ledger, session.acknowledge(1));
  expect(Status::ok, ledger.open(flash, ledger_hooks));
  expect(Status::stale_session, session.send(out, bytes));
  expect(Status::stale_session, session.prepare(study.round_bytes(), given(1), work));
  expect(Status::stale_session, session.answer(study.round_bytes(), given(1), work, out, bytes));
  expect(Status::stale_session, session.acknowledge(1));
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == 0);
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.answer(study.round_bytes(), given(1), work, out, bytes));
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == study.manifest.epsilon);
}

void test_a_short_output_buffer_charges_nothing() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.prepare(study.round_bytes(), given(1), work));
  expect(Status::short_buffer, session.send(std::span{out}.first(32), bytes));
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == 0);
  expect(Status::ok, session.send(out, bytes));
}

void test_a_device_answers_no_more_often_than_the_manifest_says() {
  VoteStudy study{k_features, true, 2};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  for (std::uint16_t round : {std::uint16_t{1}, std::uint16_t{4}}) {
    study.round.number = round;
    expect(Status::ok, session.answer(study.round_bytes(), given(1), work, out, bytes));
  }
  study.round.number = 3;
  expect(Status::already_answered, session.answer(study.round_bytes(), given(1), work, out, bytes));
  study.round.number = 5;
  expect(Status::over_answers, session.answer(study.round_bytes(), given(1), work, out, bytes));
}

void test_studies_with_and_without_credentials() {
  VoteStudy sealed{k_features};
  RoomyLedger<> ledger;
  expect(Status::ok, ledger.create(flash, ledger_hooks, k_policy, birth_entropy()));
  expect(Status::ok, ledger.set_consent(true));
  Session session;
  expect(Status::unknown_study, session.open(sealed.manifest_bytes(), ledger, hooks));
  Credential without_key = sealed.credential;
  without_key.has_key = false;
  expect(Status::ok, ledger.enrol(sealed.digest, without_key));
  expect(Status::needs_credential, session.open(sealed.manifest_bytes(), ledger, hooks));

  VoteStudy plain{k_features, false};
  expect(Status::needs_credential, enrol_plain(ledger, sealed.manifest_bytes(), hooks));
  expect(Status::ok, enrol_plain(ledger, plain.manifest_bytes(), hooks));
  expect(Status::study_exists, enrol_plain(ledger, plain.manifest_bytes(), hooks));
  expect(Status::ok, session.open(plain.manifest_bytes(), ledger, hooks));
  TEST_ASSERT_TRUE(session.pseudonym() != 0);
  std::size_t bytes = 0;
  expect(Status::ok, session.answer(plain.round_bytes(), given(1), work, out, bytes));
  TEST_ASSERT_EQUAL_UINT(report_bytes_of(1, false), bytes);
  TEST_ASSERT_TRUE(out[k_header_bytes] <= k_features);
}

bool verify(void* context, const std::uint8_t*, std::size_t, const std::uint8_t* signature, std::size_t bytes) {
  return bytes == 2 && signature[0] == 0xaa && signature[1] == *static_cast<std::uint8_t*>(context);
}

void test_the_verify_hook_sees_manifest_and_round() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  std::uint8_t key = 0x55, signed_manifest[300], signed_round[200];
  hooks.verify = {&key, verify};
  const auto with_signature = [](std::span<const std::uint8_t> body, std::uint8_t* to) {
    for (std::size_t i = 0; i < body.size(); ++i) to[i] = body[i];
    to[body.size()] = 2;
    to[body.size() + 1] = 0xaa;
    to[body.size() + 2] = 0x55;
    return std::span<const std::uint8_t>{to, body.size() + 3};
  };
  Session session;
  std::size_t bytes = 0;
  expect(Status::bad_signature, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.open(with_signature(study.manifest_bytes(), signed_manifest), ledger, hooks));
  expect(Status::bad_signature, session.answer(study.round_bytes(), given(1), work, out, bytes));
  expect(Status::ok, session.answer(with_signature(study.round_bytes(), signed_round), given(1), work, out, bytes));
}

void test_answers_leave_nothing_in_the_work_space() {
  VoteStudy study{k_features};
  ask(study, Recipe::lasso, 1000);
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  std::size_t bytes = 0;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::ok, session.answer(study.round_bytes(), hooked(), work, out, bytes));
  for (const std::byte b : work) TEST_ASSERT_TRUE(b == std::byte{0});
}

// With no more work space than a full device needs, whatever stands for "no rows".
void test_a_device_without_rows_answers_too() {
  const Q15 row[1] = {};
  const LocalData empty[] = {{{0, k_features, nullptr, 0, nullptr, read_row}, ~0u},
                             {{0, k_features, row, k_features + 1, nullptr, nullptr}, ~0u},
                             {{0, k_features, nullptr, 0, nullptr, nullptr}, ~0u},
                             {{0, 0, nullptr, 0, nullptr, nullptr}, ~0u}};
  for (const Recipe recipe : {Recipe::given, Recipe::screen, Recipe::largest_mean, Recipe::lasso, Recipe::scad}) {
    for (const LocalData& local : empty) {
      memory.blank();
      VoteStudy study{k_features};
      ask(study, recipe, 1000);
      RoomyLedger<> ledger;
      make_ledger(ledger, study);
      Session session;
      std::size_t bytes = 0;
      expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
      const std::size_t enough = vote_work_bytes(k_rows, 6, local.samples.read == nullptr);
      TEST_ASSERT_TRUE(enough <= sizeof work);
      expect(Status::ok, session.answer(study.round_bytes(), local, std::span{work}.first(enough), out, bytes));
      TEST_ASSERT_EQUAL_UINT(report_bytes_of(1, true), bytes);
    }
  }
}

void test_a_round_says_how_much_work_space_is_enough_and_a_byte_less_is_refused() {
  for (const Recipe recipe : {Recipe::given, Recipe::screen, Recipe::largest_mean, Recipe::lasso, Recipe::scad}) {
    for (const bool mapped : {false, true}) {
      memory.blank();
      VoteStudy study{k_features};
      ask(study, recipe, 1000);
      RoomyLedger<> ledger;
      make_ledger(ledger, study);
      Session session;
      std::size_t needed = 77, bytes = 0;
      expect(Status::not_prepared, session.work_bytes(study.round_bytes(), mapped, needed));
      expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
      study.round.link = 1;
      expect(Status::bad_field, session.work_bytes(study.round_bytes(), mapped, needed));
      TEST_ASSERT_EQUAL_UINT(77, needed);
      study.round.link = 0;
      hooks.entropy = {};  // nothing is drawn
      expect(Status::ok, session.work_bytes(study.round_bytes(), mapped, needed));
      hooks.entropy = entropy.source();
      TEST_ASSERT_TRUE(ledger.total_spent().epsilon == 0);
      const LocalData local{{0, k_features, nullptr, 0, nullptr, mapped ? nullptr : read_row}, ~0u};
      // The worst address: seven bytes are skipped.
      const std::span<std::byte> odd = std::span{work}.subspan(1);
      expect(Status::short_buffer, session.prepare(study.round_bytes(), local, odd.first(needed - 1)));
      expect(Status::ok, session.answer(study.round_bytes(), local, odd.first(needed), out, bytes));
    }
  }
}

void test_numbers_that_mean_nothing_are_refused() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  study.round.parameter.at_place[5] = 1;
  expect(Status::bad_field, session.prepare(study.round_bytes(), given(1), work));
  study.round.parameter.at_place[5] = 0;
  study.round.link = 1;
  expect(Status::bad_field, session.prepare(study.round_bytes(), given(1), work));
  study.round.link = 0;
  expect(Status::ok, session.prepare(study.round_bytes(), given(1), work));
}

void test_a_source_that_repeats_itself_is_noticed_by_the_first_report() {
  VoteStudy study{k_features};
  RoomyLedger<> ledger;
  make_ledger(ledger, study);
  Session session;
  FlawedEntropy repeating{EntropyFlaw::repeating};
  hooks.entropy = repeating.source();
  expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
  expect(Status::entropy_fault, session.prepare(study.round_bytes(), given(1), work));
}

// Scripted entropy, every recipe, sealed and plain, several devices: the reports of every target.
void test_reports_are_the_same_bytes_on_every_target() {
  ResultDigest digest;
  for (std::uint32_t device = 0; device < 24; ++device) {
    memory.blank();
    VoteStudy study{k_features, device % 2 == 0};
    ask(study, static_cast<Recipe>(device % 5), 200000, device % 3);
    study.credential.pseudonym += device;
    RoomyLedger<> ledger;
    make_ledger(ledger, study);
    Session session;
    std::size_t bytes = 0;
    expect(Status::ok, session.open(study.manifest_bytes(), ledger, hooks));
    expect(Status::ok, session.answer(study.round_bytes(), hooked(), work, out, bytes));
    for (std::size_t i = 0; i < bytes; ++i) digest.add(out[i]);
  }
  digest.expect("75301597b8c126e87927033fa117dc70b6d53acb2af362abafe07a0619c7f3b1");
}

}  // namespace

void setUp() {
  memory.blank();
  flash = memory.flash();
  entropy = SeededEntropy{1};
  hooks = {entropy.source(), k_questions, {}, {}};
  reads = 0;
  SeededEntropy numbers{2};
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    Q15* const row = table + i * (k_features + 1);
    for (std::uint32_t j = 0; j <= k_features; ++j) row[j] = seeded_q15(numbers, 0);
    row[k_features] = static_cast<Q15>(row[k_features] / 2 + row[2] / 2);
  }
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_one_call_gives_a_report_that_opens_with_the_key);
  RUN_TEST(test_sizes_are_those_promised);
  RUN_TEST(test_asking_again_gives_the_stored_bytes_and_costs_nothing);
  RUN_TEST(test_a_cut_between_charge_and_store_spends_for_ever);
  RUN_TEST(test_refusals_come_before_the_first_sample);
  RUN_TEST(test_a_report_without_room_in_the_ledger_is_refused_before_the_first_sample);
  RUN_TEST(test_an_acknowledgement_in_between_does_not_move_the_answer);
  RUN_TEST(test_a_session_ends_with_the_ledger_that_it_was_opened_with);
  RUN_TEST(test_a_short_output_buffer_charges_nothing);
  RUN_TEST(test_a_device_answers_no_more_often_than_the_manifest_says);
  RUN_TEST(test_studies_with_and_without_credentials);
  RUN_TEST(test_the_verify_hook_sees_manifest_and_round);
  RUN_TEST(test_answers_leave_nothing_in_the_work_space);
  RUN_TEST(test_a_device_without_rows_answers_too);
  RUN_TEST(test_a_round_says_how_much_work_space_is_enough_and_a_byte_less_is_refused);
  RUN_TEST(test_numbers_that_mean_nothing_are_refused);
  RUN_TEST(test_a_source_that_repeats_itself_is_noticed_by_the_first_report);
  RUN_TEST(test_reports_are_the_same_bytes_on_every_target);
  return UNITY_END();
}

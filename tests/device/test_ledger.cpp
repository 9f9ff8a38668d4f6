// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger as a session uses it: consent, caps, rounds, reports, refusals.
#include <initializer_list>
#include <span>

#include "ledger_stage.hpp"

extern "C" {
void setUp();
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr FlashGeometry k_geometry{1024, 2, 4, 0xff};
constexpr Charge k_one{k_epsilon_one, 0};
constexpr Policy k_policy{{3 * k_epsilon_one, 0}, {4 * k_epsilon_one, 0}};
constexpr std::uint16_t k_round = 7;

FlashSimulator<2048> simulator(k_geometry);
std::uint8_t report[40], copy[40];

void answer(Ledger& ledger, StudyEntry*& entry, std::uint16_t round) {
  expect(Status::ok, charge(ledger, entry, round, k_one, sizeof report));
  expect(Status::ok, store(ledger, entry, report));
}

bool flash_contains(std::span<const std::uint8_t> bytes) {
  for (std::uint32_t a = 0; a + bytes.size() <= simulator.size(); ++a) {
    std::uint32_t i = 0;
    while (i < bytes.size() && simulator.byte(a + i) == bytes[i]) ++i;
    if (i == bytes.size()) return true;
  }
  return false;
}

void test_blank_flash_is_no_ledger_until_one_is_created() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  expect(Status::no_ledger, ledger.open(flash, hooks));
  TEST_ASSERT_FALSE(ledger.is_open());
  expect(Status::no_ledger, find_study(ledger, digest, entry));
  expect(Status::no_ledger, ledger.set_consent(true));
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  TEST_ASSERT_TRUE(ledger.is_open());
  TEST_ASSERT_FALSE(ledger.consent());
  expect(Status::ledger_exists, ledger.create(flash, hooks, k_policy, birth_entropy()));
  expect(Status::ok, ledger.open(flash, hooks));
  expect(Status::unknown_study, find_study(ledger, digest, entry));
}

void test_nothing_is_charged_without_consent() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  expect(Status::ok, ledger.enrol(digest, k_anybody));
  expect(Status::ok, find_study(ledger, digest, entry));
  expect(Status::consent_off, may_charge(ledger, entry, k_round, k_one));
  expect(Status::consent_off, charge(ledger, entry, k_round, k_one, sizeof report));
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
}

void test_caps_hold_for_each_study_and_in_total() {
  RoomyLedger<> ledger;
  StudyEntry *entry = nullptr, *second = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, ledger.enrol(other, k_anybody));
  expect(Status::ok, find_study(ledger, other, second));
  for (std::uint16_t round = 1; round <= 3; ++round) answer(ledger, entry, round);
  expect(Status::over_study_cap, may_charge(ledger, entry, 4, k_one));
  expect(Status::ok, ledger.set_policy({{4 * k_epsilon_one - 1, 0}, {9 * k_epsilon_one, 0}}));
  expect(Status::over_study_cap, charge(ledger, entry, 4, k_one, sizeof report));
  expect(Status::ok, ledger.set_policy(k_policy));
  answer(ledger, second, 1);
  expect(Status::over_total_cap, charge(ledger, second, 2, k_one, sizeof report));
  expect(Status::ok, ledger.set_policy({{5 * k_epsilon_one, 0}, {5 * k_epsilon_one, 0}}));
  TEST_ASSERT_TRUE(ledger.total_spent().epsilon == 4 * k_epsilon_one);
  answer(ledger, second, 2);
  expect(Status::ok, ledger.set_policy({{5 * k_epsilon_one, 0}, {6 * k_epsilon_one - 1, 0}}));
  expect(Status::over_total_cap, charge(ledger, second, 3, k_one, sizeof report));
}

void test_a_study_that_is_answered_in_full_is_over_answers_whatever_its_caps_say() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, {k_one, k_one});
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report, 1));
  expect(Status::over_answers, charge(ledger, entry, 2, k_one, sizeof report, 1));
  expect(Status::over_study_cap, charge(ledger, entry, 2, k_one, sizeof report, 2));
  expect(Status::ok, ledger.set_policy({}));  // the owner allows nothing from now on
  expect(Status::over_answers, charge(ledger, entry, 2, k_one, sizeof report, 1));
}

void test_delta_has_its_own_caps_which_are_zero_unless_allowed() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::over_study_cap, charge(ledger, entry, 1, {1, 1}, sizeof report));
  expect(Status::ok, ledger.set_policy({{3 * k_epsilon_one, 10}, {4 * k_epsilon_one, 9}}));
  expect(Status::over_total_cap, charge(ledger, entry, 1, {1, 10}, sizeof report));
  expect(Status::ok, charge(ledger, entry, 1, {1, 9}, sizeof report));
  TEST_ASSERT_TRUE(ledger.total_spent() == (Charge{1, 9}));
}

void test_a_sum_that_overflows_is_over_every_cap() {
  constexpr std::uint64_t k_max = ~std::uint64_t{0};
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, {{k_max, k_max}, {k_max, k_max}});
  constexpr std::uint64_t k_half = k_max / 2;
  expect(Status::ok, charge(ledger, entry, 1, {k_half, k_max}, sizeof report));
  expect(Status::over_study_cap, charge(ledger, entry, 2, {k_half + 2, 0}, sizeof report, 2));
  expect(Status::over_study_cap, charge(ledger, entry, 2, {k_half, 1}, sizeof report, 2));
  StudyEntry* second = nullptr;
  expect(Status::ok, ledger.enrol(other, k_anybody));
  expect(Status::ok, find_study(ledger, other, second));
  expect(Status::over_total_cap, charge(ledger, second, 1, {k_half + 2, 0}, sizeof report));
  expect(Status::over_total_cap, charge(ledger, second, 1, {0, 1}, sizeof report));
  expect(Status::ok, charge(ledger, second, 1, {k_half + 1, 0}, sizeof report));
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == (Charge{k_max, k_max}));
}

void test_a_round_is_answered_once_and_rounds_only_rise() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  std::size_t bytes = 0;
  expect(Status::not_answered, stored_report(ledger, entry, k_round, copy, bytes));
  answer(ledger, entry, k_round);
  expect(Status::already_answered, charge(ledger, entry, k_round, k_one, sizeof report));
  expect(Status::already_answered, charge(ledger, entry, k_round - 1, k_one, sizeof report));
  expect(Status::already_answered, store(ledger, entry, report));
  expect(Status::already_answered, stored_report(ledger, entry, k_round - 1, copy, bytes));
  expect(Status::not_answered, stored_report(ledger, entry, k_round + 1, copy, bytes));
  TEST_ASSERT_EQUAL(0, bytes);
}

void test_a_retransmission_is_the_stored_bytes_until_they_are_acknowledged() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  answer(ledger, entry, k_round);
  std::size_t bytes = 0;
  expect(Status::short_buffer, stored_report(ledger, entry, k_round, std::span(copy).first(39), bytes));
  for (int boots = 0; boots < 2; ++boots) {
    expect(Status::ok, stored_report(ledger, entry, k_round, copy, bytes));
    TEST_ASSERT_EQUAL(sizeof report, bytes);
    TEST_ASSERT_EQUAL_MEMORY(report, copy, sizeof report);
    expect(Status::ok, ledger.open(flash, hooks));
    expect(Status::ok, find_study(ledger, digest, entry));
  }
  expect(Status::not_answered, acknowledge(ledger, entry, k_round + 1));
  expect(Status::ok, acknowledge(ledger, entry, k_round));
  expect(Status::already_answered, acknowledge(ledger, entry, k_round));
  expect(Status::already_answered, stored_report(ledger, entry, k_round, copy, bytes));
  expect(Status::already_answered, charge(ledger, entry, k_round, k_one, sizeof report));
}

void test_a_charge_without_a_report_is_spent_for_ever() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, k_round, k_one, sizeof report));
  RoomyLedger<> next_life;
  std::size_t bytes = 0;
  expect(Status::ok, next_life.open(flash, hooks));
  expect(Status::ok, find_study(next_life, digest, entry));
  expect(Status::spent_unsent, store(next_life, entry, report));
  expect(Status::spent_unsent, charge(next_life, entry, k_round, k_one, sizeof report));
  expect(Status::spent_unsent, stored_report(next_life, entry, k_round, copy, bytes));
  expect(Status::spent_unsent, acknowledge(next_life, entry, k_round));
  TEST_ASSERT_TRUE(next_life.total_spent() == k_one);
  answer(next_life, entry, k_round + 1);
}

void test_a_report_is_stored_only_for_the_charge_just_made() {
  RoomyLedger<> ledger;
  StudyEntry *entry = nullptr, *second = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, ledger.enrol(other, k_anybody));
  expect(Status::ok, find_study(ledger, other, second));
  expect(Status::not_answered, store(ledger, entry, report));
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::not_answered, store(ledger, second, report));
  expect(Status::bad_report_size, store(ledger, entry, std::span(report).first(39)));
  expect(Status::ok, charge(ledger, second, 1, k_one, sizeof report));
  expect(Status::spent_unsent, store(ledger, entry, report));
  expect(Status::ok, store(ledger, second, report));
  expect(Status::already_answered, store(ledger, second, report));
}

// What is written between a charge and its report takes the charge away: withdrawn consent, another enrolment.
void test_nothing_may_come_between_a_charge_and_its_report() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ok, ledger.set_consent(false));
  expect(Status::consent_off, store(ledger, entry, report));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::spent_unsent, store(ledger, entry, report));
  expect(Status::ok, charge(ledger, entry, 2, k_one, sizeof report));
  expect(Status::ok, ledger.enrol(other, k_anybody));
  expect(Status::spent_unsent, store(ledger, entry, report));
}

void test_a_study_is_found_by_its_name_with_every_act() {
  RoomyLedger<> ledger, elsewhere;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  answer(ledger, entry, k_round);
  expect(Status::ok, elsewhere.open(flash, hooks));
  expect(Status::already_answered, charge(elsewhere, entry, k_round, k_one, sizeof report));
  // A ledger made anew in the same memory, with another study where this one stood.
  simulator = FlashSimulator<2048>(k_geometry);
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, ledger.enrol(other, k_anybody));
  Answer stale{&digest, 2, k_any_answers, k_one, report, sizeof report};
  expect(Status::unknown_study, ledger.charge(stale));
  expect(Status::unknown_study, ledger.acknowledge(stale));
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
}

void test_withdrawn_consent_takes_the_reports_out_of_the_flash_and_keeps_the_charges() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  answer(ledger, entry, k_round);
  TEST_ASSERT_TRUE(flash_contains(report));
  expect(Status::ok, ledger.set_consent(false));
  TEST_ASSERT_FALSE(flash_contains(report));
  std::size_t bytes = 0;
  expect(Status::consent_off, stored_report(ledger, entry, k_round, copy, bytes));
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_FALSE(ledger.consent());
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::spent_unsent, stored_report(ledger, entry, k_round, copy, bytes));
  TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
}

void test_a_credential_survives_every_move_and_is_not_replaced() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  Credential credential{0x1122334455667788u, {}};
  credential.key.fill(0xab);
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  expect(Status::ok, ledger.enrol(digest, credential));
  expect(Status::ok, ledger.set_consent(true));
  credential.key.fill(0xcd);
  expect(Status::study_exists, ledger.enrol(digest, credential));
  credential.pseudonym = 0;
  expect(Status::needs_credential, ledger.enrol(other, credential));
  expect(Status::ok, ledger.open(flash, hooks));
  expect(Status::ok, find_study(ledger, digest, entry));
  TEST_ASSERT_EACH_EQUAL_HEX8(0xab, entry->key.data(), entry->key.size());
  TEST_ASSERT_TRUE(entry->pseudonym == 0x1122334455667788u);
  TEST_ASSERT_EQUAL(1, entry->has_key);
}

void test_studies_that_differ_in_one_byte_are_two() {
  RoomyLedger<> ledger;
  StudyEntry *entry = nullptr, *second = nullptr;
  open_with_study(ledger, entry, k_policy);
  other = digest;
  other[31] ^= 1;
  expect(Status::unknown_study, find_study(ledger, other, second));
  expect(Status::ok, ledger.enrol(other, k_anybody));
  answer(ledger, entry, k_round);
  expect(Status::ok, find_study(ledger, other, second));
  TEST_ASSERT_TRUE(second->spent == Charge{});
}

void test_a_report_must_have_room_before_anything_is_charged() {
  RoomyLedger<1, 30> ledger;  // 94 and 30 bytes fill four lines but for 4 bytes
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::bad_report_size, charge(ledger, entry, 1, k_one, 0));
  expect(Status::bad_report_size, charge(ledger, entry, 1, k_one, 35));
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
  expect(Status::ok, charge(ledger, entry, 1, k_one, 34));
  expect(Status::ok, store(ledger, entry, std::span(report).first(34)));
}

void test_a_full_ledger_refuses_without_wearing_the_flash() {
  RoomyLedger<2, 2> small;
  StudyEntry* entry = nullptr;
  open_with_study(small, entry, k_policy);
  expect(Status::ok, small.enrol(other, k_anybody));
  other[0] = 1;
  const std::uint32_t operations = simulator.operations();
  expect(Status::ledger_full, small.enrol(other, k_anybody));  // the memory
  TEST_ASSERT_EQUAL(operations, simulator.operations());
  small.close();
  RoomyLedger<8, 2> ledger;
  expect(Status::ok, ledger.open(flash, hooks));
  Status status = Status::ok;
  for (std::uint8_t i = 1; i != 0 && status == Status::ok; ++i) {
    other[0] = i;
    status = ledger.enrol(other, k_anybody);
  }
  expect(Status::ledger_full, status);  // the sector
  const std::uint32_t erases = simulator.erases(0) + simulator.erases(1);
  for (int i = 0; i < 20; ++i) expect(Status::ledger_full, ledger.enrol(other, k_anybody));
  TEST_ASSERT_EQUAL(erases, simulator.erases(0) + simulator.erases(1));
  TEST_ASSERT_EQUAL(3, ledger.studies());
  expect(Status::ok, ledger.open(flash, hooks));
  expect(Status::ok, find_study(ledger, digest, entry));
  expect(Status::ok, charge(ledger, entry, 1, k_one, 2));
}

}  // namespace

void setUp() { set_stage(simulator, k_geometry, report); }

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_blank_flash_is_no_ledger_until_one_is_created);
  RUN_TEST(test_nothing_is_charged_without_consent);
  RUN_TEST(test_caps_hold_for_each_study_and_in_total);
  RUN_TEST(test_a_study_that_is_answered_in_full_is_over_answers_whatever_its_caps_say);
  RUN_TEST(test_delta_has_its_own_caps_which_are_zero_unless_allowed);
  RUN_TEST(test_a_sum_that_overflows_is_over_every_cap);
  RUN_TEST(test_a_round_is_answered_once_and_rounds_only_rise);
  RUN_TEST(test_a_retransmission_is_the_stored_bytes_until_they_are_acknowledged);
  RUN_TEST(test_a_charge_without_a_report_is_spent_for_ever);
  RUN_TEST(test_a_report_is_stored_only_for_the_charge_just_made);
  RUN_TEST(test_nothing_may_come_between_a_charge_and_its_report);
  RUN_TEST(test_a_study_is_found_by_its_name_with_every_act);
  RUN_TEST(test_withdrawn_consent_takes_the_reports_out_of_the_flash_and_keeps_the_charges);
  RUN_TEST(test_a_credential_survives_every_move_and_is_not_replaced);
  RUN_TEST(test_studies_that_differ_in_one_byte_are_two);
  RUN_TEST(test_a_report_must_have_room_before_anything_is_charged);
  RUN_TEST(test_a_full_ledger_refuses_without_wearing_the_flash);
  return UNITY_END();
}

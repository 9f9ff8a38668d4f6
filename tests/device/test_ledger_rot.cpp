// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger against rot: flipped bits, half-erased sectors, what was not synced.
#include "ledger_stage.hpp"

extern "C" {
void setUp();
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr FlashGeometry k_geometry{832, 2, 8, 0xff};
constexpr Policy k_policy{{3 * k_epsilon_one, 1}, {4 * k_epsilon_one, 2}};
constexpr Charge k_one{k_epsilon_one, 0};

FlashSimulator<2048> simulator(k_geometry);
std::uint8_t report[20];

void flip(std::uint32_t address) { simulator.put(address, static_cast<std::uint8_t>(simulator.byte(address) ^ 1u)); }

// Sector 0 holds the enrolment, twice, and behind it the charge; sector 1 the report, twice.
void test_one_rotten_image_is_taken_for_a_cut_and_two_for_rot() {
  RoomyLedger<1, 34> ledger, other;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  const FlashSimulator<2048> charged = simulator;
  flip(512 + 70);
  expect(Status::ok, other.open(flash, hooks));  // the draw never left
  TEST_ASSERT_TRUE(other.total_spent() == Charge{});
  TEST_ASSERT_EQUAL_HEX8(0xff, simulator.byte(512 + 70));  // and moves on, to two good copies
  simulator = charged;
  flip(256 + 70);  // the second copy of the enrolment, and the charge behind it
  flip(512 + 70);
  expect(Status::ledger_corrupt, other.open(flash, hooks));
  simulator = charged;
  expect(Status::ok, store(ledger, entry, report));
  flip(832 + 70);
  expect(Status::ok, other.open(flash, hooks));
  TEST_ASSERT_TRUE(other.total_spent() == k_one);
  flip(0 + 70);  // in sector 0 now
  flip(256 + 70);
  expect(Status::ledger_corrupt, other.open(flash, hooks));
}

// Bit 29 and the one that its shift meets, and bit 29 of the word before: a fold without a second shift misses every other one.
void test_three_bits_in_two_neighbouring_words_are_seen() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  const FlashSimulator<2048> charged = simulator;
  for (std::uint32_t word = 64; word < 248; word += 4) {
    simulator = charged;
    simulator.put(512 + word + 3, static_cast<std::uint8_t>(simulator.byte(512 + word + 3) ^ 0x20u));
    simulator.put(512 + word + 7, static_cast<std::uint8_t>(simulator.byte(512 + word + 7) ^ 0x20u));
    simulator.put(512 + word + 5, static_cast<std::uint8_t>(simulator.byte(512 + word + 5) ^ 0x40u));
    expect(Status::ok, ledger.open(flash, hooks));
    TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
  }
}

// A bit in blank flash is a matter for neither.
void test_a_flip_in_blank_flash_is_harmless() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  const FlashSimulator<2048> healthy = simulator;
  for (std::uint32_t at = 512; at < 2 * 832; at += 3) {
    simulator = healthy;
    flip(at);
    expect(Status::ok, ledger.open(flash, hooks));
    expect(Status::ok, find_study(ledger, digest, entry));
    expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
    expect(Status::ok, ledger.open(flash, hooks));
    TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
  }
}

// The sector before went half-way, and its newest image can still be read: it must not be taken for the ledger when both copies of
// what followed have rotted.
void test_a_half_erased_sector_is_not_fallen_back_to() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  simulator.cut_at(6, Tear::nothing);  // two copies, the mark, each with its sync; then the erase
  expect(Status::flash_fault, store(ledger, entry, report));
  simulator.power_on();
  TEST_ASSERT_EQUAL_HEX8(0x53, simulator.byte(4));
  TEST_ASSERT_EQUAL_HEX8(0x53, simulator.byte(832 + 256 + 4));
  const FlashSimulator<2048> cut = simulator;
  flip(832 + 70);
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
  simulator = cut;
  flip(832 + 70);
  flip(832 + 256 + 70);
  flip(832 + 768 + 3);  // and a bit of the mark
  expect(Status::ledger_corrupt, ledger.open(flash, hooks));
}

// One flip at each boot does not add up: open() writes two good copies wherever it finds a bad one.
void test_damage_is_mended_when_it_is_found() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ok, store(ledger, entry, report));
  for (std::uint32_t boot = 0; boot < 16; ++boot) {
    const std::uint32_t sector = simulator.byte(4) == 0x53 ? 0 : 832;
    flip(sector + 256 * (boot / 2 % 2) + 70);
    expect(Status::ok, ledger.open(flash, hooks));
    TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
  }
}

// What was written and not synced is synced before it is trusted: with a counter it would be missed later.
void test_open_syncs_before_it_reads() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  flash.sync = [](void*) { return false; };
  expect(Status::flash_fault, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::flash_fault, ledger.open(flash, hooks));
  flash.sync = simulator.flash().sync;
  expect(Status::ok, ledger.open(flash, hooks));
  simulator.cut_at(0, Tear::nothing);
  expect(Status::flash_fault, ledger.set_policy(k_policy));
  simulator.power_on();
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
}

}  // namespace

void setUp() { set_stage(simulator, k_geometry, report); }

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_one_rotten_image_is_taken_for_a_cut_and_two_for_rot);
  RUN_TEST(test_three_bits_in_two_neighbouring_words_are_seen);
  RUN_TEST(test_a_flip_in_blank_flash_is_harmless);
  RUN_TEST(test_a_half_erased_sector_is_not_fallen_back_to);
  RUN_TEST(test_damage_is_mended_when_it_is_found);
  RUN_TEST(test_open_syncs_before_it_reads);
  return UNITY_END();
}

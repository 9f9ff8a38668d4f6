// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger and its hooks: geometry, bytes in flash, faults, lock, counter, recovery.
#include <span>

#include "ledger_stage.hpp"

extern "C" {
void setUp();
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr FlashGeometry k_geometry{512, 3, 8, 0xff};
constexpr Policy k_policy{{3 * k_epsilon_one, 1}, {4 * k_epsilon_one, 2}};
constexpr Charge k_one{k_epsilon_one, 0};

FlashSimulator<2048> simulator(k_geometry);
std::uint8_t report[20];

void expect_bytes(std::uint32_t address, std::span<const std::uint8_t> bytes) {
  for (std::uint32_t i = 0; i < bytes.size(); ++i) TEST_ASSERT_EQUAL_HEX8(bytes[i], simulator.byte(address + i));
}

// The worked example of shared/spec/LEDGER.md.
constexpr std::uint8_t k_created[] = {0xf4, 0x0a, 0x9b, 0x67, 0x53, 0x54, 0x4c, 0x47, 0x01, 0x00, 0x00, 0x00, 0x00,
                                      0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x80, 0x00, 0x06, 0x00, 0x00, 0x04,
                                      0x00, 0x00, 0x02, 0x00, 0x08, 0xff, 0x00, 0x5e, 0xd0, 0xb2, 0x00, 0x00, 0x00,
                                      0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28, 0x6b, 0xee,
                                      0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
constexpr std::uint8_t k_enrolled[] = {
    0x53, 0xec, 0xe0, 0xfc, 0x53, 0x54, 0x4c, 0x47, 0x05, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x01,
    0x00, 0x01, 0x80, 0x00, 0x06, 0x00, 0x00, 0x04, 0x00, 0x00, 0x02, 0x00, 0x08, 0xff, 0x00, 0x5e, 0xd0, 0xb2,
    0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28, 0x6b, 0xee, 0x00, 0x00,
    0x00, 0x00, 0x02, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x00, 0x00,
    0x00, 0x01, 0x00, 0x00, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
    0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b,
    0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

/// The bytes from `at` on, little-endian.
void put_word(std::uint8_t* at, std::uint32_t word) {
  for (int i = 0; i < 4; ++i) at[i] = static_cast<std::uint8_t>(word >> (8 * i));
}

void test_the_bytes_in_flash_are_those_of_the_specification() {
  simulator = FlashSimulator<2048>({1024, 2, 8, 0xff});
  flash = simulator.flash();
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  Credential credential{0x0102030405060708u, {}};
  credential.key.fill(0x4b);
  std::uint8_t image[sizeof k_enrolled];
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  expect_bytes(0, k_created);
  expect(Status::ok, ledger.set_consent(true));
  TEST_ASSERT_EQUAL_HEX8(0xff, simulator.byte(0));
  expect(Status::ok, ledger.enrol(digest, credential));
  expect_bytes(1152, k_enrolled);
  expect(Status::ok, find_study(ledger, digest, entry));

  __builtin_memcpy(image, k_enrolled, sizeof image);
  expect(Status::ok, charge(ledger, entry, 7, k_one, sizeof report));
  put_word(image, 0x380b6886);
  image[8] = 6;
  image[12] = 2;
  put_word(image + 64, 1'000'000'000);
  image[64 + 24] = 7;
  image[64 + 26] = 1;
  image[64 + 28] = 20;
  expect_bytes(1344, image);

  expect(Status::ok, store(ledger, entry, report));
  put_word(image, 0xcd3c1c52);
  image[8] = 7;
  image[64 + 26] = 2;
  __builtin_memcpy(image + 64 + 94, report, sizeof report);
  expect_bytes(1536, image);

  expect(Status::ok, acknowledge(ledger, entry, 7));
  put_word(image, 0x045d425f);
  image[8] = 8;
  image[64 + 26] = 3;
  expect_bytes(1728, image);
  TEST_ASSERT_EQUAL_HEX8(0xff, simulator.byte(1728 + 192));
}

void test_a_flash_that_cannot_serve_is_refused() {
  const auto refused = [](auto change) {
    Flash bad = flash;
    change(bad);
    RoomyLedger<> ledger;
    expect(Status::flash_geometry, ledger.open(bad, hooks));
    expect(Status::flash_geometry, ledger.create(bad, hooks, k_policy, birth_entropy()));
  };
  refused([](Flash& f) { f.read = nullptr; });
  refused([](Flash& f) { f.program = nullptr; });
  refused([](Flash& f) { f.erase = nullptr; });
  refused([](Flash& f) { f.sync = nullptr; });
  refused([](Flash& f) { f.geometry.sectors = 1; });
  refused([](Flash& f) { f.geometry.sectors = 2049; });
  refused([](Flash& f) { f.geometry.program_unit = 0; });
  refused([](Flash& f) { f.geometry.program_unit = 3; });
  refused([](Flash& f) { f.geometry.program_unit = 64; });
  refused([](Flash& f) { f.geometry.sector_bytes = 252; });
  refused([](Flash& f) { f.geometry.sector_bytes = 516; });
  refused([](Flash& f) { f.geometry.sector_bytes = (1u << 20) + 8; });
  refused([](Flash& f) { f.geometry.erased = 0xfe; });
  TEST_ASSERT_EQUAL(0, simulator.operations());
}

void test_a_ledger_of_another_geometry_is_left_alone() {
  RoomyLedger<> ledger;
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  const std::uint32_t operations = simulator.operations();
  flash.geometry.program_unit = 4;
  expect(Status::ledger_foreign, ledger.open(flash, hooks));
  expect(Status::ledger_foreign, ledger.create(flash, hooks, k_policy, birth_entropy()));
  flash.geometry.program_unit = 8;
  flash.geometry.sectors = 2;
  expect(Status::ledger_foreign, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(operations, simulator.operations());
}

void test_a_failing_hook_closes_the_ledger_until_it_is_opened_again() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  simulator.cut_at(0, Tear::nothing);
  expect(Status::flash_fault, charge(ledger, entry, 1, k_one, sizeof report));
  simulator.power_on();
  expect(Status::no_ledger, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ok, ledger.open(flash, hooks));
  simulator.fail_reads(true);
  expect(Status::flash_fault, ledger.set_policy(k_policy));  // it reads back what it wrote first into a sector
  expect(Status::flash_fault, ledger.open(flash, hooks));
  expect(Status::flash_fault, ledger.create(flash, hooks, k_policy, birth_entropy()));
  simulator.fail_reads(false);
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
}

// A flash that says "done" and does nothing: the images before must not be given up for one that is not there.
void test_what_was_not_written_is_noticed_before_the_old_sector_goes() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ok, store(ledger, entry, report));
  const Flash honest = flash;
  flash.program = [](void*, std::uint32_t, const std::uint8_t*, std::uint32_t) { return true; };
  expect(Status::flash_fault, ledger.set_consent(false));
  flash = honest;
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
  TEST_ASSERT_TRUE(ledger.consent());
}

void test_a_bad_image_at_the_end_is_a_cut_and_before_others_it_does_not_matter() {
  RoomyLedger<1, 34> ledger, other;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  // Sector 1: consent, twice; enrolment; charge.
  constexpr std::uint32_t k_charge_at = 512 + 2 * 64 + 192;
  const std::uint8_t good = simulator.byte(k_charge_at + 70);
  simulator.put(k_charge_at + 70, static_cast<std::uint8_t>(good ^ 1u));
  expect(Status::ok, other.open(flash, hooks));
  TEST_ASSERT_TRUE(other.total_spent() == Charge{});
  simulator.put(k_charge_at + 70, good);
  expect(Status::ok, store(ledger, entry, report));  // twice, in sector 2
  TEST_ASSERT_EQUAL_HEX8(0xff, simulator.byte(k_charge_at + 70));
  simulator.put(1024 + 70, static_cast<std::uint8_t>(simulator.byte(1024 + 70) ^ 1u));
  expect(Status::ok, other.open(flash, hooks));
  TEST_ASSERT_TRUE(other.total_spent() == k_one);
}

// The sequence of a commit that was cut is not used again: if its bits come back, what was written since is newer.
void test_a_torn_image_that_reads_as_whole_later_is_older_than_what_followed() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  const std::uint32_t at = 512 + 2 * 64 + 192;
  simulator.cut_at(1, Tear::everything);  // the sync after the charge
  expect(Status::flash_fault, charge(ledger, entry, 1, k_one, sizeof report));
  simulator.power_on();
  const std::uint8_t good = simulator.byte(at);
  simulator.put(at, static_cast<std::uint8_t>(good ^ 1u));
  expect(Status::ok, ledger.open(flash, hooks));
  expect(Status::ok, charge(ledger, entry, 2, {3, 1}, sizeof report));
  simulator.put(at, good);
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(2, entry->round);
  TEST_ASSERT_TRUE(ledger.total_spent() == (Charge{3, 1}));
}

// A move that was cut leaves an image in the next sector that may or may not read as whole: it goes before anything is written.
void test_what_a_cut_move_left_is_erased_at_once() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);  // in sector 1
  simulator.cut_at(0, Tear::everything);     // the program of the first image in sector 2
  expect(Status::flash_fault, ledger.set_policy({}));
  simulator.power_on();
  simulator.put(1024, static_cast<std::uint8_t>(simulator.byte(1024) ^ 1u));
  TEST_ASSERT_EQUAL_HEX8(0x53, simulator.byte(1028));
  expect(Status::ok, ledger.open(flash, hooks));
  for (std::uint32_t at = 1024; at < 1536; ++at) TEST_ASSERT_EQUAL_HEX8(0xff, simulator.byte(at));
  TEST_ASSERT_TRUE(ledger.policy().total == k_policy.total);
}

void test_an_interrupted_create_may_be_repeated_and_nothing_else() {
  for (std::uint32_t cut = 0; cut < 12; ++cut) {
    simulator = FlashSimulator<2048>(k_geometry, cut + 1);
    RoomyLedger<> ledger;
    simulator.cut_at(cut, Tear::torn);
    const Status first = ledger.create(flash, hooks, k_policy, birth_entropy());
    const bool dead = simulator.is_dead();
    simulator.power_on();
    if (dead) {
      expect(Status::flash_fault, first);
      const Status again = ledger.create(flash, hooks, k_policy, birth_entropy());
      TEST_ASSERT_TRUE(again == Status::ok || again == Status::ledger_exists);
    }
    expect(Status::ok, ledger.open(flash, hooks));
  }
  simulator = FlashSimulator<2048>(k_geometry);
  simulator.put(900, 0);
  RoomyLedger<> ledger;
  expect(Status::ledger_corrupt, ledger.create(flash, hooks, k_policy, birth_entropy()));
  expect(Status::ledger_corrupt, ledger.open(flash, hooks));
}

struct Gate {
  bool given = true;
  int inside = 0, entered = 0;
};
Gate gate;
constexpr Lock k_lock{&gate,
                      [](void* g) {
                        auto& self = *static_cast<Gate*>(g);
                        if (self.given) {
                          ++self.inside;
                          ++self.entered;
                        }
                        return self.given;
                      },
                      [](void* g) { --static_cast<Gate*>(g)->inside; }};

void test_the_lock_is_held_for_every_call_and_always_given_back() {
  gate = {};
  hooks.lock = &k_lock;
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::already_answered, charge(ledger, entry, 0, k_one, sizeof report));
  TEST_ASSERT_EQUAL(0, gate.inside);
  TEST_ASSERT_EQUAL(6, gate.entered);
  gate.given = false;
  expect(Status::busy, charge(ledger, entry, 2, k_one, sizeof report));
  expect(Status::busy, ledger.open(flash, hooks));
}

Ledger* reentered;
Status inner = Status::ok;

void test_a_hook_that_calls_back_is_refused_as_busy() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  reentered = &ledger;
  const Flash honest = flash;
  static bool (*sync)(void*) = nullptr;
  sync = honest.sync;
  flash.sync = [](void* context) {
    StudyEntry* again = nullptr;
    inner = find_study(*reentered, digest, again);
    return sync(context);
  };
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::busy, inner);
  flash = honest;
}

struct Hardware {
  std::uint32_t value = 0;
  bool works = true;
};
Hardware hardware;
constexpr Counter k_counter{&hardware,
                            [](void* h, std::uint32_t* value) {
                              *value = static_cast<Hardware*>(h)->value;
                              return static_cast<Hardware*>(h)->works;
                            },
                            [](void* h, std::uint32_t value) {
                              auto& self = *static_cast<Hardware*>(h);
                              if (self.works && value == self.value + 1) {
                                self.value = value;
                                return true;
                              }
                              return false;
                            }};

void test_a_counter_refuses_older_flash() {
  hardware = {.value = 41};
  hooks.counter = &k_counter;
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  TEST_ASSERT_EQUAL(42, hardware.value);  // consent
  const FlashSimulator<2048> older = simulator;
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ok, store(ledger, entry, report));
  TEST_ASSERT_EQUAL(43, hardware.value);
  expect(Status::ok, ledger.open(flash, hooks));
  const FlashSimulator<2048> newer = simulator;
  simulator = older;
  const std::uint32_t operations = simulator.operations();
  expect(Status::rolled_back, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(operations, simulator.operations());
  simulator = newer;
  hardware.value = 41;  // two behind: not this device's counter
  expect(Status::rolled_back, ledger.open(flash, hooks));
  hardware.value = 42;  // a cut between record and counter
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(43, hardware.value);
}

void test_a_failing_counter_is_a_refusal() {
  hardware = {};
  hooks.counter = &k_counter;
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  hardware.works = false;
  expect(Status::counter_fault, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::counter_fault, ledger.open(flash, hooks));
  hardware.works = true;
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
}

}  // namespace

void setUp() { set_stage(simulator, k_geometry, report); }

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_the_bytes_in_flash_are_those_of_the_specification);
  RUN_TEST(test_a_flash_that_cannot_serve_is_refused);
  RUN_TEST(test_a_ledger_of_another_geometry_is_left_alone);
  RUN_TEST(test_a_failing_hook_closes_the_ledger_until_it_is_opened_again);
  RUN_TEST(test_what_was_not_written_is_noticed_before_the_old_sector_goes);
  RUN_TEST(test_a_bad_image_at_the_end_is_a_cut_and_before_others_it_does_not_matter);
  RUN_TEST(test_a_torn_image_that_reads_as_whole_later_is_older_than_what_followed);
  RUN_TEST(test_what_a_cut_move_left_is_erased_at_once);
  RUN_TEST(test_an_interrupted_create_may_be_repeated_and_nothing_else);
  RUN_TEST(test_the_lock_is_held_for_every_call_and_always_given_back);
  RUN_TEST(test_a_hook_that_calls_back_is_refused_as_busy);
  RUN_TEST(test_a_counter_refuses_older_flash);
  RUN_TEST(test_a_failing_counter_is_a_refusal);
  return UNITY_END();
}

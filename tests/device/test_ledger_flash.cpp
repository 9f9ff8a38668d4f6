// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger and its hooks: geometry, bytes in flash, faults, lock, counter, recovery.
#include <span>

#include "flash_simulator.hpp"
#include "sotto/ledger/ledger.hpp"
#include "unity.h"

extern "C" {
void setUp();
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr FlashGeometry k_geometry{512, 3, 8, 0xff};
constexpr Policy k_policy{{3 * k_epsilon_one, 1}, {4 * k_epsilon_one, 2}};
constexpr Charge k_one{k_epsilon_one, 0};

FlashSimulator<1536> simulator(k_geometry);
Flash flash;
LedgerHooks hooks;
Digest digest;
std::uint8_t report[20];

void expect(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}

void open_with_study(Ledger& ledger, StudyEntry& entry) {
  expect(Status::ok, ledger.create(flash, hooks, k_policy));
  expect(Status::ok, ledger.set_consent(true));
  expect(Status::ok, ledger.enrol(digest, nullptr));
  expect(Status::ok, ledger.study(digest, entry));
}

void expect_bytes(std::uint32_t address, std::span<const std::uint8_t> bytes) {
  for (std::uint32_t i = 0; i < bytes.size(); ++i) TEST_ASSERT_EQUAL_HEX8(bytes[i], simulator.byte(address + i));
}

// The worked example of shared/spec/LEDGER.md.
constexpr std::uint8_t k_created[] = {
    0x01, 0x00, 0x38, 0x00, 0x53, 0x54, 0x4c, 0x47, 0x01, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00, 0x03, 0x00,
    0x08, 0xff, 0x00, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x5e, 0xd0, 0xb2, 0x00, 0x00, 0x00, 0x00,
    0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28, 0x6b, 0xee, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x64, 0xb5, 0x86, 0xea, 0x06, 0x00, 0x00, 0x00, 0xa5, 0xe7, 0x93, 0xbc,
    0x07, 0x00, 0x00, 0x00, 0xc0, 0x80, 0x2f, 0x04, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
constexpr std::uint8_t k_study[] = {
    0x02, 0x00, 0x60, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00,
    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x4b, 0x4b, 0x4b, 0x4b,
    0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b,
    0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x1c, 0xc0, 0x30, 0xdd};
constexpr std::uint8_t k_charge[] = {0x04, 0x00, 0x12, 0x00, 0x00, 0xca, 0x9a, 0x3b, 0x00, 0x00, 0x00,
                                     0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x07, 0x00,
                                     0x22, 0xbf, 0x4d, 0x36, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
constexpr std::uint8_t k_report[] = {0x03, 0x00, 0x14, 0x00, 0xa0, 0xa1, 0xa2, 0xa3, 0xa4, 0xa5, 0xa6,
                                     0xa7, 0xa8, 0xa9, 0xaa, 0xab, 0xac, 0xad, 0xae, 0xaf, 0xb0, 0xb1,
                                     0xb2, 0xb3, 0x48, 0xcd, 0xcb, 0x35, 0xff, 0xff, 0xff, 0xff};
constexpr std::uint8_t k_acknowledged[] = {0x05, 0x00, 0x00, 0x00, 0xa5, 0xe7, 0x93, 0xbc};

void test_the_bytes_in_flash_are_those_of_the_specification() {
  Ledger ledger;
  StudyEntry entry;
  Credential credential{0x0102030405060708u, {}};
  credential.key.fill(0x4b);
  expect(Status::ok, ledger.create(flash, hooks, k_policy));
  expect_bytes(0, k_created);
  expect(Status::ok, ledger.set_consent(true));
  TEST_ASSERT_EQUAL_HEX8(0xff, simulator.byte(0));
  expect(Status::ok, ledger.enrol(digest, &credential));
  expect(Status::ok, ledger.study(digest, entry));
  expect_bytes(592, k_study);
  std::uint32_t at = entry.log_end;
  expect(Status::ok, ledger.charge(entry, 7, k_one, sizeof report));
  expect_bytes(at, k_charge);
  at = entry.log_end;
  expect(Status::ok, ledger.store(entry, 7, report));
  expect_bytes(at, k_report);
  at = entry.log_end;
  expect(Status::ok, ledger.acknowledge(entry, 7));
  expect_bytes(at, k_acknowledged);
  TEST_ASSERT_EQUAL(at + sizeof k_acknowledged, entry.log_end);
}

void test_a_flash_that_cannot_serve_is_refused() {
  const auto refused = [](auto change) {
    Flash bad = flash;
    change(bad);
    Ledger ledger;
    expect(Status::flash_geometry, ledger.open(bad, hooks));
    expect(Status::flash_geometry, ledger.create(bad, hooks, k_policy));
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
  Ledger ledger;
  expect(Status::ok, ledger.create(flash, hooks, k_policy));
  const std::uint32_t operations = simulator.operations();
  flash.geometry.program_unit = 4;
  expect(Status::ledger_foreign, ledger.open(flash, hooks));
  expect(Status::ledger_foreign, ledger.create(flash, hooks, k_policy));
  flash.geometry.program_unit = 8;
  flash.geometry.sectors = 2;
  expect(Status::ledger_foreign, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(operations, simulator.operations());
}

void test_a_failing_hook_closes_the_ledger_until_it_is_opened_again() {
  Ledger ledger;
  StudyEntry entry;
  open_with_study(ledger, entry);
  simulator.cut_at(0, Tear::nothing);
  expect(Status::flash_fault, ledger.charge(entry, 1, k_one, sizeof report));
  simulator.power_on();
  expect(Status::no_ledger, ledger.charge(entry, 1, k_one, sizeof report));
  expect(Status::ok, ledger.open(flash, hooks));
  simulator.fail_reads(true);
  expect(Status::flash_fault, ledger.study(digest, entry));
  expect(Status::flash_fault, ledger.open(flash, hooks));
  simulator.fail_reads(false);
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == Charge{});
}

void test_a_bad_record_before_good_ones_is_corruption_and_at_the_end_a_cut() {
  Ledger ledger;
  StudyEntry entry;
  open_with_study(ledger, entry);  // in sector 1
  const std::uint32_t at = entry.log_end;
  expect(Status::ok, ledger.charge(entry, 1, k_one, sizeof report));
  const std::uint8_t good = simulator.byte(at + 6);
  simulator.put(at + 6, static_cast<std::uint8_t>(good ^ 1u));
  Ledger torn;
  simulator.cut_at(0, Tear::nothing);
  expect(Status::flash_fault, torn.open(flash, hooks));  // it wants to move on
  simulator.power_on();
  simulator.put(at + 6, good);
  expect(Status::ok, ledger.store(entry, 1, report));
  simulator.put(at + 6, static_cast<std::uint8_t>(good ^ 1u));
  expect(Status::ledger_corrupt, torn.open(flash, hooks));
  expect(Status::ledger_corrupt, ledger.set_policy(k_policy));  // rot since open() gets no new checksum
}

void test_an_interrupted_create_may_be_repeated_and_nothing_else() {
  for (std::uint32_t cut = 0; cut < 12; ++cut) {
    simulator = FlashSimulator<1536>(k_geometry, cut + 1);
    Ledger ledger;
    simulator.cut_at(cut, Tear::torn);
    const Status first = ledger.create(flash, hooks, k_policy);
    const bool dead = simulator.is_dead();
    simulator.power_on();
    if (dead) {
      expect(Status::flash_fault, first);
      const Status again = ledger.create(flash, hooks, k_policy);
      TEST_ASSERT_TRUE(again == Status::ok || again == Status::ledger_exists);
    }
    expect(Status::ok, ledger.open(flash, hooks));
  }
  simulator = FlashSimulator<1536>(k_geometry);
  simulator.put(900, 0);
  Ledger ledger;
  expect(Status::ledger_corrupt, ledger.create(flash, hooks, k_policy));
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
  Ledger ledger;
  StudyEntry entry;
  open_with_study(ledger, entry);
  expect(Status::ok, ledger.charge(entry, 1, k_one, sizeof report));
  expect(Status::already_answered, ledger.charge(entry, 0, k_one, sizeof report));
  TEST_ASSERT_EQUAL(0, gate.inside);
  TEST_ASSERT_EQUAL(6, gate.entered);
  gate.given = false;
  expect(Status::busy, ledger.charge(entry, 2, k_one, sizeof report));
  expect(Status::busy, ledger.open(flash, hooks));
}

Ledger* reentered;
Status inner = Status::ok;

void test_a_hook_that_calls_back_is_refused_as_busy() {
  Ledger ledger;
  StudyEntry entry;
  open_with_study(ledger, entry);
  reentered = &ledger;
  const Flash honest = flash;
  static bool (*sync)(void*) = nullptr;
  sync = honest.sync;
  flash.sync = [](void* context) {
    StudyEntry again;
    inner = reentered->study(digest, again);
    return sync(context);
  };
  expect(Status::ok, ledger.charge(entry, 1, k_one, sizeof report));
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
  Ledger ledger;
  StudyEntry entry;
  open_with_study(ledger, entry);
  TEST_ASSERT_EQUAL(42, hardware.value);  // consent
  const FlashSimulator<1536> older = simulator;
  expect(Status::ok, ledger.charge(entry, 1, k_one, sizeof report));
  expect(Status::ok, ledger.store(entry, 1, report));
  TEST_ASSERT_EQUAL(43, hardware.value);
  expect(Status::ok, ledger.open(flash, hooks));
  const FlashSimulator<1536> newer = simulator;
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
  Ledger ledger;
  StudyEntry entry;
  open_with_study(ledger, entry);
  hardware.works = false;
  expect(Status::counter_fault, ledger.charge(entry, 1, k_one, sizeof report));
  expect(Status::counter_fault, ledger.open(flash, hooks));
  hardware.works = true;
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
}

}  // namespace

void setUp() {
  simulator = FlashSimulator<1536>(k_geometry);
  flash = simulator.flash();
  hooks = {};
  digest.fill(0x11);
  for (std::uint8_t i = 0; i < sizeof report; ++i) report[i] = static_cast<std::uint8_t>(0xa0 + i);
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_the_bytes_in_flash_are_those_of_the_specification);
  RUN_TEST(test_a_flash_that_cannot_serve_is_refused);
  RUN_TEST(test_a_ledger_of_another_geometry_is_left_alone);
  RUN_TEST(test_a_failing_hook_closes_the_ledger_until_it_is_opened_again);
  RUN_TEST(test_a_bad_record_before_good_ones_is_corruption_and_at_the_end_a_cut);
  RUN_TEST(test_an_interrupted_create_may_be_repeated_and_nothing_else);
  RUN_TEST(test_the_lock_is_held_for_every_call_and_always_given_back);
  RUN_TEST(test_a_hook_that_calls_back_is_refused_as_busy);
  RUN_TEST(test_a_counter_refuses_older_flash);
  RUN_TEST(test_a_failing_counter_is_a_refusal);
  return UNITY_END();
}

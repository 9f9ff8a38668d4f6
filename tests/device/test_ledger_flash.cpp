// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger and its flash: geometry, failing hooks, two objects on one flash, cut moves, the lock.
#include "ledger_stage.hpp"
#include "sotto/bytes.hpp"

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
  refused([](Flash& f) { f.geometry.sector_bytes = 480; });
  refused([](Flash& f) { f.geometry.sector_bytes = 540; });
  refused([](Flash& f) { f.geometry.sector_bytes = (1u << 20) + 8; });
  refused([](Flash& f) { f.geometry.erased = 0xfe; });
  TEST_ASSERT_EQUAL(0, simulator.operations());
}

void test_a_ledger_of_another_geometry_is_left_alone() {
  RoomyLedger<> ledger;
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  const std::uint32_t writes = simulator.writes();
  flash.geometry.program_unit = 4;
  expect(Status::ledger_foreign, ledger.open(flash, hooks));
  expect(Status::ledger_foreign, ledger.create(flash, hooks, k_policy, birth_entropy()));
  flash.geometry.program_unit = 8;
  flash.geometry.erased = 0x00;
  expect(Status::ledger_foreign, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
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

// Two objects on one flash: the second to write notices, writes nothing and closes.
void test_another_object_that_wrote_the_flash_is_noticed() {
  RoomyLedger<1, 34> ledger, other;
  StudyEntry *entry = nullptr, *theirs = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, other.open(flash, hooks));
  expect(Status::ok, find_study(other, digest, theirs));
  expect(Status::ok, charge(other, theirs, 1, k_one, sizeof report));
  std::uint32_t writes = simulator.writes();
  expect(Status::ledger_in_use, charge(ledger, entry, 1, k_one, sizeof report));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
  TEST_ASSERT_FALSE(ledger.is_open());
  expect(Status::ok, ledger.open(flash, hooks));
  expect(Status::ok, other.open(flash, hooks));
  expect(Status::ok, other.set_policy(k_policy));  // moves on, and erases
  writes = simulator.writes();
  expect(Status::ledger_in_use, ledger.set_consent(false));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
}

/// The newest images with this sequence number, and a checksum that is right.
void set_sequence(std::uint32_t sequence) {
  for (std::uint32_t at = 0; at + 256 <= simulator.size(); at += 32) {
    std::uint8_t image[256];
    for (std::uint32_t i = 0; i < sizeof image; ++i) image[i] = simulator.byte(at + i);
    if (load_u32(image + 4) != k_ledger_magic || image[19] != 1) continue;
    store_u32(image + 8, sequence);
    store_u32(image, fold(image + 4, sizeof image - 4));
    for (std::uint32_t i = 0; i < sizeof image; ++i) simulator.put(at + i, image[i]);
  }
}

// Acts that move on to the next sector would erase what the other object has charged in this one.
void test_no_owners_act_erases_what_another_object_charged() {
  for (int act = 0; act < 4; ++act) {
    set_stage(simulator, k_geometry, report);
    RoomyLedger<2, 34> ledger, other;
    StudyEntry* entry = nullptr;
    open_with_study(ledger, entry, k_policy);
    expect(Status::ok, other.open(flash, hooks));
    expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
    expect(Status::ok, store(ledger, entry, report));
    const std::uint32_t writes = simulator.writes();
    Digest second{};
    second.fill(0x22);
    expect(Status::ledger_in_use, act == 0   ? other.set_policy(k_policy)
                                  : act == 1 ? other.set_consent(false)
                                  : act == 2 ? other.enrol(second, {5, nullptr})
                                             : other.remove(digest));
    TEST_ASSERT_EQUAL(writes, simulator.writes());
    expect(Status::ok, other.open(flash, hooks));
    TEST_ASSERT_TRUE(other.total_spent() == k_one);
  }
}

void test_a_sequence_at_its_end_is_refused_and_never_wraps() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  ledger.close();
  set_sequence(k_sequence_end - 3);
  expect(Status::ok, ledger.open(flash, hooks));
  expect(Status::ok, find_study(ledger, digest, entry));
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ledger_worn, store(ledger, entry, report));
  const std::uint32_t writes = simulator.writes();
  expect(Status::ledger_worn, ledger.open(flash, hooks));
  expect(Status::ledger_worn, ledger.create(flash, hooks, k_policy, birth_entropy()));
  set_sequence(0xffffffffu);
  expect(Status::ledger_worn, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
}

// A move that was cut before its mark never was, whole though its images are.
void test_what_a_cut_move_left_does_not_count() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  simulator.cut_at(4, Tear::nothing);  // the program of the mark
  expect(Status::flash_fault, ledger.set_policy({}));
  simulator.power_on();
  TEST_ASSERT_EQUAL_HEX8(0x53, simulator.byte(832 + 256 + 4));
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.policy().total == k_policy.total);
  expect(Status::ok, ledger.set_policy({}));
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.policy().total == Charge{});
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

}  // namespace

void setUp() { set_stage(simulator, k_geometry, report); }

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_flash_that_cannot_serve_is_refused);
  RUN_TEST(test_a_ledger_of_another_geometry_is_left_alone);
  RUN_TEST(test_a_failing_hook_closes_the_ledger_until_it_is_opened_again);
  RUN_TEST(test_what_was_not_written_is_noticed_before_the_old_sector_goes);
  RUN_TEST(test_another_object_that_wrote_the_flash_is_noticed);
  RUN_TEST(test_no_owners_act_erases_what_another_object_charged);
  RUN_TEST(test_a_sequence_at_its_end_is_refused_and_never_wraps);
  RUN_TEST(test_what_a_cut_move_left_does_not_count);
  RUN_TEST(test_an_interrupted_create_may_be_repeated_and_nothing_else);
  RUN_TEST(test_the_lock_is_held_for_every_call_and_always_given_back);
  RUN_TEST(test_a_hook_that_calls_back_is_refused_as_busy);
  return UNITY_END();
}

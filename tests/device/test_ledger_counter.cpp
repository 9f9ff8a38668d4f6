// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger with a monotonic counter: older flash is refused, and no cut lets a copy replace an act.
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

struct Hardware {
  std::uint32_t value = 0;
  bool works = true;
  bool moves = true;  ///< if not, the power goes between image and counter
};
Hardware hardware;
constexpr Counter k_counter{&hardware,
                            [](void* h, std::uint32_t* value) {
                              *value = static_cast<Hardware*>(h)->value;
                              return static_cast<Hardware*>(h)->works;
                            },
                            [](void* h, std::uint32_t value) {
                              auto& self = *static_cast<Hardware*>(h);
                              if (self.works && self.moves && value == self.value + 1) {
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
  TEST_ASSERT_EQUAL(43, hardware.value);  // create() and consent
  const FlashSimulator<2048> older = simulator;
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ok, store(ledger, entry, report));
  TEST_ASSERT_EQUAL(44, hardware.value);
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(45, hardware.value);
  const FlashSimulator<2048> newer = simulator;
  simulator = older;
  const std::uint32_t writes = simulator.writes();
  expect(Status::rolled_back, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
  simulator = newer;
  hardware.value = 43;  // two behind: not this device's counter
  expect(Status::rolled_back, ledger.open(flash, hooks));
  hardware.value = 44;  // a cut between record and counter
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(45, hardware.value);
}

/// The bytes alone: three simulators are too many for the stack of a small board.
struct Copy {
  std::uint8_t bytes[2 * k_geometry.sector_bytes];
};

[[gnu::noinline]] Copy keep() {
  Copy copy;
  for (std::uint32_t a = 0; a < sizeof copy.bytes; ++a) copy.bytes[a] = simulator.byte(a);
  return copy;
}

[[gnu::noinline]] void put_back(const Copy& copy) {
  simulator = FlashSimulator<2048>(k_geometry);
  for (std::uint32_t a = 0; a < sizeof copy.bytes; ++a) simulator.put(a, copy.bytes[a]);
}

/// A copy whose number the counter did not reach, because the power went between image and counter; the flash of before is put
/// back, and another act takes that number. The copy must not be taken for the flash of that act.
void test_an_act_that_was_not_counted_replaces_no_other() {
  enum Cut { in_policy, in_charge, in_open, twice_in_open };
  for (const Cut cut : {in_policy, in_charge, in_open, twice_in_open}) {
    hardware = {};
    setUp();
    hooks.counter = &k_counter;
    RoomyLedger<> ledger;
    StudyEntry* entry = nullptr;
    open_with_study(ledger, entry, k_policy);
    const Copy before = keep();
    hardware.moves = false;
    if (cut == in_policy) expect(Status::counter_fault, ledger.set_policy({}));
    if (cut == in_charge) expect(Status::counter_fault, charge(ledger, entry, 1, k_one, sizeof report));
    if (cut >= in_open) expect(Status::counter_fault, ledger.open(flash, hooks));
    if (cut == twice_in_open) expect(Status::counter_fault, ledger.open(flash, hooks));
    const Copy uncounted = keep();
    hardware.moves = true;
    put_back(before);
    expect(Status::ok, ledger.open(flash, hooks));
    expect(Status::ok, find_study(ledger, digest, entry));
    expect(Status::ok, charge(ledger, entry, 2, k_one, sizeof report));
    expect(Status::ok, store(ledger, entry, report));  // and it leaves
    put_back(uncounted);
    expect(Status::rolled_back, ledger.open(flash, hooks));
  }
}

/// The same with every flash that a cut within open() leaves, whether the counter was level before or one behind. Each of them opens,
/// until the flash of before was put back and has done an act.
void test_no_cut_in_open_leaves_a_copy_that_replaces_an_act() {
  std::uint32_t uncounted = 0;
  for (const Tear tear : {Tear::nothing, Tear::everything, Tear::torn}) {
    for (std::uint32_t cut = 0; cut < 30; ++cut) {
      hardware = {};
      setUp();
      hooks.counter = &k_counter;
      RoomyLedger<> ledger;
      StudyEntry* entry = nullptr;
      open_with_study(ledger, entry, k_policy);
      expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
      if (cut % 2 != 0) --hardware.value;
      const Hardware counted = hardware;
      const Copy before = keep();
      simulator.cut_at(cut / 2, tear);
      hardware.moves = false;
      const Status status = ledger.open(flash, hooks);
      TEST_ASSERT_TRUE(status == Status::flash_fault || status == Status::counter_fault);
      if (status == Status::counter_fault) ++uncounted;
      simulator.power_on();
      const Copy left = keep();
      hardware = counted;
      expect(Status::ok, ledger.open(flash, hooks));
      TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
      hardware = counted;
      put_back(before);
      expect(Status::ok, ledger.open(flash, hooks));
      expect(Status::ok, find_study(ledger, digest, entry));
      expect(Status::ok, charge(ledger, entry, 2, k_one, sizeof report));
      put_back(left);
      expect(Status::rolled_back, ledger.open(flash, hooks));
    }
  }
  TEST_ASSERT_TRUE(uncounted != 0 && uncounted < 45);
}

/// The same against a ledger that was created: what its owner decided first is not undone by a copy of the ledger before.
void test_an_act_that_was_not_counted_replaces_no_created_ledger() {
  hardware = {};
  hooks.counter = &k_counter;
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  hardware.moves = false;
  expect(Status::counter_fault, ledger.set_policy(k_policy));
  const Copy uncounted = keep();
  hardware.moves = true;
  setUp();
  hooks.counter = &k_counter;
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  expect(Status::ok, ledger.set_policy({}));
  put_back(uncounted);
  expect(Status::rolled_back, ledger.open(flash, hooks));
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
  RUN_TEST(test_a_counter_refuses_older_flash);
  RUN_TEST(test_an_act_that_was_not_counted_replaces_no_other);
  RUN_TEST(test_no_cut_in_open_leaves_a_copy_that_replaces_an_act);
  RUN_TEST(test_an_act_that_was_not_counted_replaces_no_created_ledger);
  RUN_TEST(test_a_failing_counter_is_a_refusal);
  return UNITY_END();
}

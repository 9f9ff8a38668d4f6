// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger's image between memory and flash: more memory, less memory, and flash that lies.
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

FlashSimulator<2048> simulator(k_geometry);
std::uint8_t report[40];

void test_a_closed_ledger_leaves_nothing_in_its_memory() {
  LedgerSpace<1, 40> space;
  Credential credential{7, {}};
  credential.key.fill(0xab);
  {
    Ledger ledger{space};
    expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
    expect(Status::ok, ledger.enrol(digest, credential));
    TEST_ASSERT_TRUE(space.words[0] != 0);
    ledger.close();
    for (const std::uint64_t word : space.words) TEST_ASSERT_TRUE(word == 0);
    TEST_ASSERT_FALSE(ledger.is_open());
    expect(Status::no_ledger, ledger.set_consent(true));
    expect(Status::ok, ledger.open(flash, hooks));
    simulator.cut_at(0, Tear::nothing);
    expect(Status::flash_fault, ledger.set_consent(true));
    simulator.power_on();
    for (const std::uint64_t word : space.words) TEST_ASSERT_TRUE(word == 0);
    expect(Status::ok, ledger.open(flash, hooks));
    TEST_ASSERT_TRUE(space.words[0] != 0);
  }
  for (const std::uint64_t word : space.words) TEST_ASSERT_TRUE(word == 0);
}

// A firmware update with more memory, and back: what was charged in between must not be forgotten with the longer image.
void test_memory_that_grew_leaves_no_shorter_ledger_behind() {
  // Entries so small that all of this fits one sector: the images before stay, unless growing takes them away.
  RoomyLedger<1, 2> before;
  StudyEntry* entry = nullptr;
  open_with_study(before, entry, k_policy);
  before.close();
  RoomyLedger<2, 2> after;
  expect(Status::ok, after.open(flash, hooks));
  expect(Status::ok, after.enrol(other, k_anybody));
  expect(Status::ok, find_study(after, digest, entry));
  expect(Status::ok, charge(after, entry, 1, k_one, 2));
  after.close();
  TEST_ASSERT_TRUE(before.open(flash, hooks) != Status::ok);
  expect(Status::ok, after.open(flash, hooks));
  TEST_ASSERT_TRUE(after.total_spent().epsilon == k_epsilon_one);
}

/// Where the newest image with one study stands.
std::uint32_t newest_with_a_study() {
  std::uint32_t newest = 0, at = 0;
  for (std::uint32_t i = 0; i + 64 <= simulator.size(); i += 32)
    if (simulator.byte(i + 4) == 'S' && simulator.byte(i + 5) == 'T' && simulator.byte(i + 19) == 1 &&
        simulator.byte(i + 8) >= newest) {
      newest = simulator.byte(i + 8);
      at = i;
    }
  return at;
}

// A cut while an image is written can leave its head with any length: here one that is no multiple of a word, and has room.
void test_a_torn_head_may_name_any_number_of_bytes() {
  RoomyLedger<3, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  ledger.close();
  const std::uint32_t at = newest_with_a_study(), behind = at + ledger_memory_bytes(1, 34);
  std::uint8_t torn[32];
  for (std::uint32_t i = 0; i < sizeof torn; ++i) torn[i] = simulator.byte(at + i);
  torn[20] = 0xff;  // bytes of an entry
  TEST_ASSERT_TRUE(flash.program(flash.context, behind, torn, sizeof torn) && flash.sync(flash.context));
  TEST_ASSERT_EQUAL_UINT8(0xff, simulator.byte(behind + 20));
  TEST_ASSERT_EQUAL_UINT8('S', simulator.byte(behind + 4));
  expect(Status::ok, ledger.open(flash, hooks));
  expect(Status::ok, find_study(ledger, digest, entry));
}

// The flash of an attacker between the chip and the core: it shows a short head, and then an image that claims more studies.
struct TwoFaces {
  FlashSimulator<2048>* shown;
  std::uint8_t second[64];
  std::uint32_t longer_reads;
};

bool read_two_faces(void* context, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) {
  auto& faces = *static_cast<TwoFaces*>(context);
  for (std::uint32_t i = 0; i < bytes; ++i) out[i] = faces.shown->byte(address + i);
  if (bytes < 64) return true;
  ++faces.longer_reads;
  for (std::uint32_t i = 0; i < 64; ++i) out[i] = faces.second[i];
  // The checksum is right for what is shown: the first word closes the fold.
  std::uint32_t fold = 0x9e3779b1u;
  for (std::uint32_t at = bytes; at != 4;) {
    at -= 4;
    const std::uint32_t word =
        out[at] | std::uint32_t{out[at + 1]} << 8 | std::uint32_t{out[at + 2]} << 16 | std::uint32_t{out[at + 3]} << 24;
    fold ^= word;
    fold ^= fold >> 15;
    fold *= 0x9e3779b1u;
    fold ^= fold >> 13;
  }
  for (std::uint32_t i = 0; i < 4; ++i) out[i] = static_cast<std::uint8_t>(fold >> 8 * i);
  return true;
}

void test_flash_that_reads_otherwise_the_second_time_is_refused() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  ledger.close();
  TwoFaces faces{&simulator, {}, 0};
  const std::uint32_t at = newest_with_a_study();
  for (std::uint32_t i = 0; i < 64; ++i) faces.second[i] = simulator.byte(at + i);
  faces.second[19] = 3;   // studies, of
  faces.second[20] = 32;  // bytes: as long as one, with entries that reach beyond the image
  Flash shown{&faces,
              read_two_faces,
              [](void*, std::uint32_t, const std::uint8_t*, std::uint32_t) { return true; },
              [](void*, std::uint32_t) { return true; },
              [](void*) { return true; },
              flash.geometry};
  TEST_ASSERT_TRUE(ledger.open(shown, hooks) != Status::ok);
  TEST_ASSERT_FALSE(ledger.is_open());
  TEST_ASSERT_TRUE(faces.longer_reads != 0);
  faces.second[19] = 1;
  faces.second[20] = 192;  // and one of another length
  TEST_ASSERT_TRUE(ledger.open(shown, hooks) != Status::ok);
}

// An older image would fit, and says less: it must not be taken for the ledger.
void test_memory_that_became_smaller_is_refused() {
  RoomyLedger<> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, ledger.enrol(other, k_anybody));
  ledger.close();
  RoomyLedger<1> smaller;
  const std::uint32_t writes = simulator.writes();
  expect(Status::short_buffer, smaller.open(flash, hooks));
  expect(Status::short_buffer, smaller.create(flash, hooks, k_policy, birth_entropy()));
  TEST_ASSERT_FALSE(smaller.is_open());
  TEST_ASSERT_EQUAL(writes, simulator.writes());
  RoomyLedger<6> larger;
  expect(Status::ok, larger.open(flash, hooks));
  TEST_ASSERT_EQUAL(2, larger.studies());
}

// Two objects over the same memory: whichever was opened, used or closed last, the other one says so and touches nothing
// that is not its own.
void test_a_second_object_over_the_same_memory_is_noticed() {
  LedgerSpace<2, 34> space;
  for (int act = 0; act < 4; ++act) {
    set_stage(simulator, k_geometry, report);
    Ledger first{space}, second{space};
    StudyEntry* entry = nullptr;
    open_with_study(first, entry, k_policy);
    expect(Status::ok, charge(first, entry, 1, k_one, 34));
    expect(Status::ok, second.open(flash, hooks));
    // What the second object does to the memory: wipe it, make the image longer, move its entries, or replace it.
    if (act == 0) second.close();
    if (act == 1) expect(Status::ok, second.enrol(other, k_anybody));
    if (act == 2) expect(Status::ok, second.remove(digest));
    if (act == 3) expect(Status::ok, second.set_policy(k_policy));
    TEST_ASSERT_TRUE(first.is_open());
    TEST_ASSERT_TRUE(first.total_spent() == Charge{});
    TEST_ASSERT_TRUE(first.study(digest) == nullptr);
    const std::uint32_t writes = simulator.writes();
    expect(Status::ledger_in_use, first.set_consent(false));
    TEST_ASSERT_FALSE(first.is_open());
    TEST_ASSERT_EQUAL(writes, simulator.writes());
    expect(act == 0 ? Status::no_ledger : Status::ledger_in_use, second.set_consent(false));
    expect(Status::ok, first.open(flash, hooks));
    TEST_ASSERT_TRUE(first.total_spent() == k_one);
    TEST_ASSERT_TRUE(first.consent());
    first.close();
  }
}

}  // namespace

void setUp() { set_stage(simulator, k_geometry, report); }

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_closed_ledger_leaves_nothing_in_its_memory);
  RUN_TEST(test_memory_that_grew_leaves_no_shorter_ledger_behind);
  RUN_TEST(test_flash_that_reads_otherwise_the_second_time_is_refused);
  RUN_TEST(test_memory_that_became_smaller_is_refused);
  RUN_TEST(test_a_second_object_over_the_same_memory_is_noticed);
  RUN_TEST(test_a_torn_head_may_name_any_number_of_bytes);
  return UNITY_END();
}

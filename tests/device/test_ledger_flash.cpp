// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The ledger and its hooks: geometry, bytes in flash, faults, lock, counter, recovery.
#include <span>

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

void expect_bytes(std::uint32_t address, std::span<const std::uint8_t> bytes) {
  for (std::uint32_t i = 0; i < bytes.size(); ++i) TEST_ASSERT_EQUAL_HEX8(bytes[i], simulator.byte(address + i));
}

// The worked example of shared/spec/LEDGER.md.
// The secret of the example is 20 21 ... 3f.
constexpr std::uint8_t k_created[] = {
    0x93, 0xe6, 0x7d, 0x1d, 0x53, 0x54, 0x4c, 0x47, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x00, 0x00,
    0x00, 0x80, 0x00, 0x08, 0x00, 0x00, 0x04, 0x00, 0x00, 0x02, 0x00, 0x08, 0xff, 0x00, 0x5e, 0xd0, 0xb2, 0x00, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28, 0x6b, 0xee, 0x00, 0x00, 0x00, 0x00, 0x02,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b,
    0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e,
    0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};
constexpr std::uint8_t k_enrolled[] = {
    0x6a, 0xa6, 0xce, 0xab, 0x53, 0x54, 0x4c, 0x47, 0x03, 0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x02, 0x01, 0x00,
    0x01, 0x80, 0x00, 0x08, 0x00, 0x00, 0x04, 0x00, 0x00, 0x02, 0x00, 0x08, 0xff, 0x00, 0x5e, 0xd0, 0xb2, 0x00, 0x00,
    0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x28, 0x6b, 0xee, 0x00, 0x00, 0x00, 0x00, 0x02,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x2b,
    0x2c, 0x2d, 0x2e, 0x2f, 0x30, 0x31, 0x32, 0x33, 0x34, 0x35, 0x36, 0x37, 0x38, 0x39, 0x3a, 0x3b, 0x3c, 0x3d, 0x3e,
    0x3f, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x08, 0x07, 0x06, 0x05, 0x04, 0x03, 0x02, 0x01,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
    0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11, 0x11,
    0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b,
    0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x4b, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00,
    0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00};

/// The checksum as the specification writes it.
std::uint32_t fold(const std::uint8_t* bytes, std::uint32_t size) {
  std::uint32_t h = 0x9e3779b1;
  for (std::uint32_t at = size; at != 0;) {
    at -= 4;
    h ^= load_u32(bytes + at);
    h ^= h >> 15;
    h *= 0x9e3779b1;
    h ^= h >> 13;
  }
  return h;
}

/// What stands in the flash is the example's image, with its checksum, but for the device's own secret.
void expect_image(std::uint32_t address, std::uint8_t* example, std::uint32_t size, std::uint32_t checksum) {
  store_u32(example, checksum);
  TEST_ASSERT_EQUAL_HEX32(0, fold(example, size));
  std::uint8_t image[sizeof k_enrolled];
  __builtin_memcpy(image, example, size);
  for (std::uint32_t i = 64; i < 96; ++i) image[i] = simulator.byte(address + i);
  store_u32(image, fold(image + 4, size - 4));
  expect_bytes(address, {image, size});
}

/// The number and its complement, both turned, all twice.
void expect_mark(std::uint32_t address, std::uint32_t sequence) {
  std::uint8_t line[32];
  for (std::uint32_t i = 0; i < 32; i += 16) {
    store_u32(line + i, sequence);
    store_u32(line + i + 4, ~sequence);
    store_u32(line + i + 8, sequence ^ 0x474c5453u);
    store_u32(line + i + 12, ~(sequence ^ 0x474c5453u));
  }
  expect_bytes(address, line);
}

void test_the_bytes_in_flash_are_those_of_the_specification() {
  simulator = FlashSimulator<2048>({1024, 2, 8, 0xff});
  flash = simulator.flash();
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  Credential credential{0x0102030405060708u, {}};
  credential.key.fill(0x4b);
  std::uint8_t image[sizeof k_enrolled];
  __builtin_memcpy(image, k_created, sizeof k_created);
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
  expect_image(0, image, 128, 0x1d7de693);
  expect_image(128, image, 128, 0x1d7de693);
  expect_mark(960, 1);
  expect_mark(992, 1);
  expect(Status::ok, ledger.set_consent(true));
  image[8] = 2;
  image[12] = 1;
  image[17] = 1;
  expect_image(1024, image, 128, 0xc6ba83f7);
  expect_image(1152, image, 128, 0xc6ba83f7);
  expect_mark(1984, 2);
  expect_mark(2016, 2);
  TEST_ASSERT_EQUAL_HEX8(0xff, simulator.byte(0));
  expect(Status::ok, ledger.enrol(digest, credential));
  __builtin_memcpy(image, k_enrolled, sizeof image);
  expect_image(0, image, 256, 0xabcea66a);
  expect_image(256, image, 256, 0xabcea66a);
  expect(Status::ok, find_study(ledger, digest, entry));

  expect(Status::ok, charge(ledger, entry, 7, k_one, sizeof report));
  image[8] = 4;
  image[12] = 2;
  store_u32(image + 128, 1'000'000'000);
  image[128 + 24] = 7;
  image[128 + 26] = 1;
  image[128 + 28] = 20;
  expect_image(512, image, 256, 0x65b49178);

  expect(Status::ok, store(ledger, entry, report));  // no room: on to sector 1
  image[8] = 5;
  image[128 + 26] = 2;
  __builtin_memcpy(image + 128 + 94, report, sizeof report);
  expect_image(1024, image, 256, 0xae45789d);
  expect_image(1280, image, 256, 0xae45789d);
  expect_mark(1984, 5);

  expect(Status::ok, acknowledge(ledger, entry, 7));
  image[8] = 6;
  image[128 + 26] = 3;
  expect_image(1536, image, 256, 0x5afdd51e);
  TEST_ASSERT_EQUAL_HEX8(0xff, simulator.byte(1536 + 256));
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
  RUN_TEST(test_the_bytes_in_flash_are_those_of_the_specification);
  RUN_TEST(test_a_flash_that_cannot_serve_is_refused);
  RUN_TEST(test_a_ledger_of_another_geometry_is_left_alone);
  RUN_TEST(test_a_failing_hook_closes_the_ledger_until_it_is_opened_again);
  RUN_TEST(test_what_was_not_written_is_noticed_before_the_old_sector_goes);
  RUN_TEST(test_one_rotten_image_is_taken_for_a_cut_and_two_for_rot);
  RUN_TEST(test_three_bits_in_two_neighbouring_words_are_seen);
  RUN_TEST(test_a_flip_in_blank_flash_is_harmless);
  RUN_TEST(test_a_half_erased_sector_is_not_fallen_back_to);
  RUN_TEST(test_damage_is_mended_when_it_is_found);
  RUN_TEST(test_open_syncs_before_it_reads);
  RUN_TEST(test_another_object_that_wrote_the_flash_is_noticed);
  RUN_TEST(test_no_owners_act_erases_what_another_object_charged);
  RUN_TEST(test_a_sequence_at_its_end_is_refused_and_never_wraps);
  RUN_TEST(test_what_a_cut_move_left_does_not_count);
  RUN_TEST(test_an_interrupted_create_may_be_repeated_and_nothing_else);
  RUN_TEST(test_the_lock_is_held_for_every_call_and_always_given_back);
  RUN_TEST(test_a_hook_that_calls_back_is_refused_as_busy);
  RUN_TEST(test_a_counter_refuses_older_flash);
  RUN_TEST(test_an_act_that_was_not_counted_replaces_no_other);
  RUN_TEST(test_no_cut_in_open_leaves_a_copy_that_replaces_an_act);
  RUN_TEST(test_an_act_that_was_not_counted_replaces_no_created_ledger);
  RUN_TEST(test_a_failing_counter_is_a_refusal);
  return UNITY_END();
}

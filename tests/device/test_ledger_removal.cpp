// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A study that leaves the ledger, and the secret that the ledger keeps for the device's coins.
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
std::uint8_t report[2];

bool flash_contains(std::span<const std::uint8_t> bytes) {
  for (std::uint32_t a = 0; a + bytes.size() <= simulator.size(); ++a) {
    std::uint32_t i = 0;
    while (i < bytes.size() && simulator.byte(a + i) == bytes[i]) ++i;
    if (i == bytes.size()) return true;
  }
  return false;
}

void test_a_removed_study_leaves_its_name_and_its_spend() {
  RoomyLedger<3, 2> ledger;
  StudyEntry *entry = nullptr, *second = nullptr;
  Credential credential{77, {}};
  credential.key.fill(0xab);
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, ledger.enrol(other, credential));
  expect(Status::ok, find_study(ledger, other, second));
  for (std::uint16_t round = 1; round <= 2; ++round) {
    expect(Status::ok, charge(ledger, second, round, k_one, sizeof report));
    expect(Status::ok, store(ledger, second, report));
  }
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ok, store(ledger, entry, report));
  TEST_ASSERT_TRUE(flash_contains(credential.key));
  expect(Status::ok, ledger.set_consent(false));  // removal needs none
  expect(Status::ok, ledger.remove(other));
  expect(Status::study_removed, ledger.remove(other));
  expect(Status::ok, ledger.set_consent(true));
  TEST_ASSERT_FALSE(flash_contains(credential.key));
  TEST_ASSERT_TRUE(flash_contains(other));
  for (int boots = 0; boots < 2; ++boots) {
    expect(Status::unknown_study, find_study(ledger, other, second));
    expect(Status::study_removed, ledger.enrol(other, credential));
    TEST_ASSERT_EQUAL(1, ledger.studies());
    TEST_ASSERT_TRUE(ledger.total_spent().epsilon == 3 * k_epsilon_one);
    expect(Status::ok, ledger.open(flash, hooks));
  }
  expect(Status::ok, find_study(ledger, digest, entry));
  TEST_ASSERT_TRUE(entry->spent == k_one);
  expect(Status::ok, charge(ledger, entry, 2, k_one, sizeof report));
  expect(Status::over_total_cap, charge(ledger, entry, 3, k_one, sizeof report));  // what was removed counts
}

void test_removal_makes_room_for_another_study_and_moves_no_other() {
  RoomyLedger<3, 2> ledger;
  StudyEntry* entry = nullptr;
  Digest third{};
  third.fill(0x33);
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, ledger.enrol(other, {5, nullptr}));
  expect(Status::ok, ledger.enrol(third, {6, nullptr}));
  // An answer that was begun before finds its study after the entries have moved.
  Answer answer{&other, 1, 1, k_one, report, sizeof report};
  expect(Status::ok, ledger.find_study(answer));
  expect(Status::ok, ledger.remove(digest));
  expect(Status::ok, ledger.charge(answer));
  TEST_ASSERT_TRUE(answer.pseudonym == 5);
  expect(Status::ok, ledger.store(answer));
  expect(Status::unknown_study, ledger.remove(Digest{9}));
  TEST_ASSERT_EQUAL(2, ledger.studies());
  expect(Status::ok, ledger.open(flash, hooks));
  expect(Status::ok, find_study(ledger, third, entry));
  TEST_ASSERT_TRUE(entry->pseudonym == 6 && entry->spent == Charge{});
  expect(Status::ok, find_study(ledger, other, entry));
  TEST_ASSERT_TRUE(entry->pseudonym == 5 && entry->spent == k_one);
}

// A removal is never half done.
void test_a_cut_removal_happened_or_not() {
  std::uint32_t done = 0, undone = 0;
  for (std::uint32_t cut = 0; cut < 12; ++cut) {
    simulator = FlashSimulator<2048>(k_geometry, cut + 1);
    RoomyLedger<2, 2> ledger;
    StudyEntry* entry = nullptr;
    open_with_study(ledger, entry, k_policy);
    expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
    simulator.cut_at(cut, Tear::torn);
    static_cast<void>(ledger.remove(digest));
    simulator.power_on();
    expect(Status::ok, ledger.open(flash, hooks));
    TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
    const bool gone = find_study(ledger, digest, entry) != Status::ok;
    ++(gone ? done : undone);
    expect(gone ? Status::study_removed : Status::study_exists, ledger.enrol(digest, k_anybody));
  }
  TEST_ASSERT_TRUE(done != 0 && undone != 0);
}

void test_the_secret_is_drawn_from_two_healthy_seeds_before_anything_is_written() {
  RoomyLedger<1, 2> ledger;
  EntropySource dead = birth_entropy();
  expect(Status::entropy_not_ready, ledger.create(flash, hooks, k_policy, {}));
  dead.read = [](void*, std::uint8_t* out, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) out[i] = static_cast<std::uint8_t>(i * 37 + 11);  // the same for ever
    return true;
  };
  expect(Status::entropy_fault, ledger.create(flash, hooks, k_policy, dead));
  TEST_ASSERT_EQUAL(0, simulator.writes());
  TEST_ASSERT_FALSE(ledger.is_open());
  expect(Status::ok, ledger.create(flash, hooks, k_policy, birth_entropy()));
}

// The secret is stirred in like any words. Of the block that follows half is the key of the coins, and half is the secret of the
// next act's image.
void test_stirring_takes_words_that_the_next_image_cannot_give_again() {
  LedgerSpace<1, 2> space;
  Ledger ledger{space};
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  const auto& head = *reinterpret_cast<const ImageHead*>(space.words);
  PrivateCoins coins, twin, again;
  const EntropySource seeds = birth_entropy();
  expect(Status::ok, twin.begin_report(seeds));
  expect(Status::ok, twin.begin_report(seeds));
  twin.stir(head.secret);
  std::uint32_t kept[8];
  for (std::uint32_t& dropped : kept) dropped = twin.word();
  expect(Status::ok, ledger.seed(coins, birth_entropy()));
  TEST_ASSERT_EQUAL_MEMORY(kept, head.secret, sizeof kept);
  expect(Status::ok, ledger.seed(again, birth_entropy()));
  const std::uint32_t word = coins.word();
  TEST_ASSERT_EQUAL_HEX32(twin.word(), word);
  TEST_ASSERT_TRUE(again.word() != word);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  __builtin_memcpy(kept, head.secret, sizeof kept);
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL_MEMORY(kept, head.secret, sizeof kept);
  ledger.close();
  expect(Status::no_ledger, ledger.seed(coins, birth_entropy()));
}

}  // namespace

void setUp() { set_stage(simulator, k_geometry, report); }

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_removed_study_leaves_its_name_and_its_spend);
  RUN_TEST(test_removal_makes_room_for_another_study_and_moves_no_other);
  RUN_TEST(test_a_cut_removal_happened_or_not);
  RUN_TEST(test_the_secret_is_drawn_from_two_healthy_seeds_before_anything_is_written);
  RUN_TEST(test_stirring_takes_words_that_the_next_image_cannot_give_again);
  return UNITY_END();
}

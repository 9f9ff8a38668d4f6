// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A ledger whose images carry a tag that only this device can compute, against somebody who writes the flash.
#include <span>

#include "ledger_stage.hpp"
#include "sotto/bytes.hpp"
#include "sotto/hmac.hpp"

extern "C" {
void setUp();
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr FlashGeometry k_geometry{1024, 2, 4, 0xff};
constexpr Charge k_one{k_epsilon_one, 0};
constexpr Policy k_policy{{k_epsilon_one, 0}, {k_epsilon_one, 0}};

FlashSimulator<2048> simulator(k_geometry);
std::uint8_t report[34];

struct Engine {
  std::uint8_t secret[32] = {1, 2, 3};
  bool works = true;
};
Engine engine;
ImageKey key;

bool code(void* context, const std::uint8_t* bytes, std::size_t count, std::uint8_t* out) {
  auto& self = *static_cast<Engine*>(context);
  HmacSha256 hmac(self.secret);
  Digest digest_out;
  hmac.add({bytes, count});
  hmac.finish(digest_out);
  __builtin_memcpy(out, digest_out.data(), digest_out.size());
  return self.works;
}

/// What somebody does who knows the format and can write the flash: nothing was spent, no round was asked, the checksums are right.
void forge() {
  for (std::uint32_t at = 0; at + 256 <= simulator.size(); at += 32) {
    std::uint8_t image[256];
    for (std::uint32_t i = 0; i < sizeof image; ++i) image[i] = simulator.byte(at + i);
    if (load_u32(image + 4) != k_ledger_magic || image[19] != 1) continue;
    for (std::uint32_t i = 128; i < 144; ++i) image[i] = 0;
    image[128 + 26] = 0;
    std::uint32_t fold = 0x9e3779b1;
    for (std::uint32_t word = sizeof image - 4; word != 0; word -= 4) {
      fold ^= load_u32(image + word);
      fold ^= fold >> 15;
      fold *= 0x9e3779b1;
      fold ^= fold >> 13;
    }
    store_u32(image, fold);
    for (std::uint32_t i = 0; i < sizeof image; ++i) simulator.put(at + i, image[i]);
  }
}

/// How often one round is answered by a device whose flash is forged after every answer.
std::uint32_t draws_of_one_round() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  for (std::uint32_t draws = 0;; ++draws) {
    if (draws == 300 || find_study(ledger, digest, entry) != Status::ok ||
        charge(ledger, entry, 1, k_one, sizeof report) != Status::ok || store(ledger, entry, report) != Status::ok)
      return draws;
    ledger.close();
    forge();
    static_cast<void>(ledger.open(flash, hooks));
  }
}

void test_forged_spend_buys_draws_without_a_key_and_none_with_it() {
  TEST_ASSERT_EQUAL(300, draws_of_one_round());
  simulator = FlashSimulator<2048>(k_geometry);
  hooks.key = &key;
  TEST_ASSERT_EQUAL(1, draws_of_one_round());
}

void test_an_image_without_the_right_tag_is_no_image() {
  hooks.key = &key;
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  expect(Status::ok, charge(ledger, entry, 1, k_one, sizeof report));
  expect(Status::ok, store(ledger, entry, report));
  expect(Status::ok, ledger.open(flash, hooks));
  TEST_ASSERT_TRUE(ledger.total_spent() == k_one);
  const std::uint32_t writes = simulator.writes();
  engine.secret[0] ^= 1;  // another device's key
  expect(Status::ledger_corrupt, ledger.open(flash, hooks));
  expect(Status::ledger_corrupt, ledger.create(flash, hooks, k_policy, birth_entropy()));
  engine.secret[0] ^= 1;
  engine.works = false;
  expect(Status::seal_fault, ledger.open(flash, hooks));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
  engine.works = true;
  expect(Status::ok, ledger.open(flash, hooks));
  engine.works = false;
  expect(Status::seal_fault, ledger.set_policy(k_policy));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
}

void test_a_key_is_for_the_whole_life_of_a_ledger() {
  RoomyLedger<1, 34> ledger;
  StudyEntry* entry = nullptr;
  open_with_study(ledger, entry, k_policy);
  std::uint32_t writes = simulator.writes();
  hooks.key = &key;
  expect(Status::ledger_foreign, ledger.open(flash, hooks));
  expect(Status::ledger_foreign, ledger.create(flash, hooks, k_policy, birth_entropy()));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
  simulator = FlashSimulator<2048>(k_geometry);
  open_with_study(ledger, entry, k_policy);
  writes = simulator.writes();
  hooks.key = nullptr;
  expect(Status::ledger_foreign, ledger.open(flash, hooks));
  expect(Status::ledger_foreign, ledger.create(flash, hooks, k_policy, birth_entropy()));
  TEST_ASSERT_EQUAL(writes, simulator.writes());
}

}  // namespace

void setUp() {
  set_stage(simulator, k_geometry, report);
  engine = {};
  key = {&engine, code};
}

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_forged_spend_buys_draws_without_a_key_and_none_with_it);
  RUN_TEST(test_an_image_without_the_right_tag_is_no_image);
  RUN_TEST(test_a_key_is_for_the_whole_life_of_a_ledger);
  return UNITY_END();
}

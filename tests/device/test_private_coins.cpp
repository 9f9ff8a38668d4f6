// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Private coins: the generator by its definition, what stays in memory, and every way in which entropy fails.
#include "sotto/coins/private_coins.hpp"

#include <new>

#include "seeded_entropy.hpp"
#include "sotto/chacha.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

void expect_status(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}

/// Is this word anywhere in the object's memory?
bool holds(const void* object, std::size_t size, std::uint32_t word) {
  const auto* bytes = static_cast<const volatile unsigned char*>(object);
  for (std::size_t at = 0; at + 4 <= size; at += 4) {
    std::uint32_t found = 0;
    for (std::size_t i = 0; i < 4; ++i) found |= std::uint32_t{bytes[at + i]} << (8 * i);
    if (found == word) return true;
  }
  return false;
}

void words_are_those_of_the_definition() {
  SeededEntropy entropy{1}, twin{1};
  std::uint32_t key[8] = {};
  PrivateCoins coins;
  for (int report = 0; report < 3; ++report) {
    expect_status(Status::ok, coins.begin_report(entropy.source()));
    for (std::uint32_t& k : key) k ^= twin.word();
    for (int refill = 0; refill < 3; ++refill) {
      const std::uint32_t nonce[3] = {};
      std::uint32_t block[16];
      chacha_block(key, 0, nonce, ChachaRounds::private_coins, block);
      for (int i = 0; i < 8; ++i) key[i] = block[i];
      for (int i = 8; i < 16; ++i) TEST_ASSERT_EQUAL_HEX32(block[i], coins.word());
    }
  }
}

void a_word_that_was_given_out_is_gone_from_memory() {
  SeededEntropy entropy{2}, twin_entropy{2};
  PrivateCoins coins, twin;
  expect_status(Status::ok, coins.begin_report(entropy.source()));
  expect_status(Status::ok, twin.begin_report(twin_entropy.source()));
  TEST_ASSERT_EQUAL_HEX32(twin.word(), coins.word());
  for (int i = 1; i < 8; ++i) {
    const std::uint32_t next = twin.word();
    TEST_ASSERT_TRUE(holds(&coins, sizeof coins, next));
    TEST_ASSERT_EQUAL_HEX32(next, coins.word());
    TEST_ASSERT_FALSE(holds(&coins, sizeof coins, next));
  }
}

// The seed is the first key, and a block stands between it and everything that is kept.
void a_seed_is_gone_from_memory() {
  SeededEntropy entropy{3}, twin{3};
  PrivateCoins coins;
  expect_status(Status::ok, coins.begin_report(entropy.source()));
  std::uint32_t key[8];
  for (std::uint32_t& k : key) k = twin.word();
  for (int i = 2; i < 8; ++i)
    TEST_ASSERT_FALSE(holds(&coins, sizeof coins, key[i]));  // 0 and 1 stay, to find a repeated seed
}

void a_key_that_made_words_is_gone_from_memory() {
  SeededEntropy entropy{3}, twin{3};
  PrivateCoins coins;
  expect_status(Status::ok, coins.begin_report(entropy.source()));
  std::uint32_t key[8], block[16];
  const std::uint32_t nonce[3] = {};
  for (std::uint32_t& k : key) k = twin.word();
  chacha_block(key, 0, nonce, ChachaRounds::private_coins, block);
  for (int i = 0; i < 8; ++i) TEST_ASSERT_TRUE(holds(&coins, sizeof coins, block[i]));
  for (int i = 0; i < 9; ++i) (void)coins.word();
  for (int i = 0; i < 8; ++i) TEST_ASSERT_FALSE(holds(&coins, sizeof coins, block[i]));
}

/// A fresh secret of 256 bits XOR a counter: every read is unpredictable, and two of them differ by what everybody knows.
struct CountingEntropy {
  SeededEntropy secret;
  std::uint32_t counter = 2;
  std::uint8_t bytes[k_seed_bytes] = {};
  explicit CountingEntropy(std::uint64_t seed) : secret(seed) {
    for (std::uint8_t& b : bytes) b = secret.byte();
  }
  EntropySource source() {
    return {this, [](void*) { return true; },
            [](void* self, std::uint8_t* out, std::size_t n) {
              auto& s = *static_cast<CountingEntropy*>(self);
              for (std::size_t i = 0; i < n; ++i) out[i] = s.bytes[i];
              out[0] = static_cast<std::uint8_t>(out[0] ^ ++s.counter);
              return true;
            }};
  }
};

void what_two_seeds_share_does_not_cancel() {
  std::uint32_t first[4];
  for (std::uint32_t device = 0; device < 4; ++device) {
    CountingEntropy entropy{100 + device};
    PrivateCoins coins;
    expect_status(Status::ok, coins.begin_report(entropy.source()));
    expect_status(Status::ok, coins.begin_report(entropy.source()));
    first[device] = coins.word();
    for (std::uint32_t other = 0; other < device; ++other) TEST_ASSERT_TRUE(first[other] != first[device]);
  }
}

void stirring_mixes_like_a_seed_and_makes_nothing_ready() {
  SeededEntropy entropy{7}, twin_entropy{7}, more{8}, same_more{8};
  PrivateCoins coins, twin, unready;
  std::uint32_t words[8];
  for (std::uint32_t& w : words) w = more.word();
  expect_status(Status::ok, coins.begin_report(entropy.source()));
  expect_status(Status::ok, twin.begin_report(twin_entropy.source()));
  coins.stir(words);
  expect_status(Status::ok, twin.begin_report(same_more.source()));
  for (int i = 0; i < 12; ++i) TEST_ASSERT_EQUAL_HEX32(twin.word(), coins.word());
  unready.stir(words);
  expect_status(Status::entropy_not_ready, unready.ready());
}

void forgetting_leaves_an_object_like_a_new_one() {
  SeededEntropy entropy{9};
  PrivateCoins coins;
  expect_status(Status::ok, coins.begin_report(entropy.source()));
  (void)coins.word();
  coins.forget();
  const auto* const bytes = reinterpret_cast<const volatile unsigned char*>(&coins);
  for (std::size_t i = 0; i < sizeof coins; ++i) TEST_ASSERT_EQUAL_UINT8(0, bytes[i]);
}

void the_next_report_drops_what_the_last_one_left() {
  SeededEntropy entropy{4}, twin_entropy{4};
  PrivateCoins coins, twin;
  expect_status(Status::ok, coins.begin_report(entropy.source()));
  expect_status(Status::ok, twin.begin_report(twin_entropy.source()));
  (void)coins.word();
  (void)twin.word();
  expect_status(Status::ok, coins.begin_report(entropy.source()));
  for (int i = 1; i < 8; ++i) TEST_ASSERT_FALSE(holds(&coins, sizeof coins, twin.word()));
}

void the_end_of_the_object_wipes_key_and_words() {
  alignas(PrivateCoins) unsigned char memory[sizeof(PrivateCoins)];
  SeededEntropy entropy{5}, twin_entropy{5};
  PrivateCoins twin;
  auto* const coins = new (memory) PrivateCoins;
  expect_status(Status::ok, coins->begin_report(entropy.source()));
  expect_status(Status::ok, twin.begin_report(twin_entropy.source()));
  TEST_ASSERT_EQUAL_HEX32(twin.word(), coins->word());
  coins->~PrivateCoins();
  for (int i = 1; i < 8; ++i) TEST_ASSERT_FALSE(holds(memory, sizeof memory, twin.word()));
}

void nothing_is_ready_before_a_report_was_begun() {
  PrivateCoins coins;
  expect_status(Status::entropy_not_ready, coins.ready());
  expect_status(Status::entropy_not_ready, coins.begin_report(EntropySource{}));
  expect_status(Status::entropy_not_ready, coins.ready());
}

void expect_refused_then_mended(EntropyFlaw flaw, std::uint32_t good_reads, Status expected) {
  FlawedEntropy entropy{flaw, good_reads};
  PrivateCoins coins;
  for (std::uint32_t i = 0; i < good_reads; ++i) expect_status(Status::ok, coins.begin_report(entropy.source()));
  for (int i = 0; i < 3; ++i) {
    expect_status(expected, coins.begin_report(entropy.source()));
    expect_status(Status::entropy_not_ready, coins.ready());
  }
  entropy.mend();
  expect_status(Status::ok, coins.begin_report(entropy.source()));
  expect_status(Status::ok, coins.ready());
}

void a_source_that_is_not_ready_is_not_read() {
  FlawedEntropy entropy{EntropyFlaw::not_ready};
  PrivateCoins coins;
  expect_status(Status::entropy_not_ready, coins.begin_report(entropy.source()));
  TEST_ASSERT_EQUAL_UINT32(0, entropy.reads());
  expect_refused_then_mended(EntropyFlaw::not_ready, 0, Status::entropy_not_ready);
}

void a_failing_or_dry_source_is_a_fault() {
  expect_refused_then_mended(EntropyFlaw::failing_read, 0, Status::entropy_fault);
  expect_refused_then_mended(EntropyFlaw::dry, 2, Status::entropy_fault);
}

void a_stuck_or_biased_source_is_a_fault() {
  expect_refused_then_mended(EntropyFlaw::stuck, 0, Status::entropy_fault);
  expect_refused_then_mended(EntropyFlaw::biased, 0, Status::entropy_fault);
}

void a_source_that_repeats_itself_is_a_fault() {
  expect_refused_then_mended(EntropyFlaw::repeating, 1, Status::entropy_fault);
}

void a_source_that_writes_nothing_is_a_fault() {
  const EntropySource silent{nullptr, [](void*) { return true; },
                             [](void*, std::uint8_t*, std::size_t) { return true; }};
  PrivateCoins coins;
  expect_status(Status::entropy_fault, coins.begin_report(silent));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(words_are_those_of_the_definition);
  RUN_TEST(a_word_that_was_given_out_is_gone_from_memory);
  RUN_TEST(a_seed_is_gone_from_memory);
  RUN_TEST(a_key_that_made_words_is_gone_from_memory);
  RUN_TEST(what_two_seeds_share_does_not_cancel);
  RUN_TEST(stirring_mixes_like_a_seed_and_makes_nothing_ready);
  RUN_TEST(forgetting_leaves_an_object_like_a_new_one);
  RUN_TEST(the_next_report_drops_what_the_last_one_left);
  RUN_TEST(the_end_of_the_object_wipes_key_and_words);
  RUN_TEST(nothing_is_ready_before_a_report_was_begun);
  RUN_TEST(a_source_that_is_not_ready_is_not_read);
  RUN_TEST(a_failing_or_dry_source_is_a_fault);
  RUN_TEST(a_stuck_or_biased_source_is_a_fault);
  RUN_TEST(a_source_that_repeats_itself_is_a_fault);
  RUN_TEST(a_source_that_writes_nothing_is_a_fault);
  return UNITY_END();
}

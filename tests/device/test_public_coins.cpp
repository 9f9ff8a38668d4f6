// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Public coins: one stream for each label and purpose, readable from any place.
#include "sotto/public_coins.hpp"

#include <initializer_list>

#include "sotto/bytes.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr std::uint8_t k_seed[32] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
constexpr CoinLabel k_label = {k_seed, 0x1122334455667788u, 0x0203};

void words_are_the_chacha8_blocks_of_the_label() {
  std::uint32_t key[8], block[16];
  for (int i = 0; i < 8; ++i) key[i] = load_u32(k_seed + 4 * i);
  const std::uint32_t nonce[3] = {0x55667788u, 0x11223344u, 0x00040203u};
  PublicCoins coins{k_label, CoinPurpose::codewords};
  for (std::uint32_t number = 0; number < 3; ++number) {
    chacha_block(key, number, nonce, ChachaRounds::public_coins, block);
    for (const std::uint32_t expected : block) TEST_ASSERT_EQUAL_HEX32(expected, coins.word());
  }
}

void bytes_are_the_words_from_the_low_end() {
  PublicCoins words{k_label, CoinPurpose::masks}, bytes{k_label, CoinPurpose::masks};
  for (int i = 0; i < 40; ++i) {
    const std::uint32_t w = words.word();
    for (int shift = 0; shift < 32; shift += 8) TEST_ASSERT_EQUAL_HEX8((w >> shift) & 255u, bytes.byte());
  }
}

void seeking_continues_anywhere_in_the_stream() {
  PublicCoins forward{k_label, CoinPurpose::rotation}, jumping{k_label, CoinPurpose::rotation};
  std::uint8_t stream[200];
  for (std::uint8_t& b : stream) b = forward.byte();
  for (const std::uint32_t at : {199u, 0u, 63u, 64u, 65u, 127u, 128u, 3u}) {
    jumping.seek(at);
    TEST_ASSERT_EQUAL_HEX8(stream[at], jumping.byte());
  }
}

bool same_stream(const CoinLabel& a, CoinPurpose pa, const CoinLabel& b, CoinPurpose pb) {
  PublicCoins first{a, pa}, second{b, pb};
  return first.word() == second.word() && first.word() == second.word();
}

void every_part_of_the_label_makes_another_stream() {
  std::uint8_t other_seed[32] = {};
  TEST_ASSERT_TRUE(same_stream(k_label, CoinPurpose::cohort, k_label, CoinPurpose::cohort));
  const CoinLabel others[] = {{other_seed, k_label.pseudonym, k_label.round},
                              {k_seed, k_label.pseudonym + 1, k_label.round},
                              {k_seed, k_label.pseudonym ^ (std::uint64_t{1} << 63), k_label.round},
                              {k_seed, k_label.pseudonym, 0x0103}};
  for (const CoinLabel& other : others) {
    TEST_ASSERT_FALSE(same_stream(k_label, CoinPurpose::cohort, other, CoinPurpose::cohort));
  }
}

void purposes_never_share_a_coin() {
  constexpr CoinPurpose k_all[] = {CoinPurpose::cohort,         CoinPurpose::masks,
                                   CoinPurpose::rotation,       CoinPurpose::slot,
                                   CoinPurpose::codewords,      CoinPurpose::shared_projection,
                                   CoinPurpose::shared_fourier, CoinPurpose::shared_rotation};
  for (const CoinPurpose a : k_all) {
    for (const CoinPurpose b : k_all) TEST_ASSERT_EQUAL(a == b, same_stream(k_label, a, k_label, b));
  }
}

void below_stays_below_and_reaches_both_ends() {
  PublicCoins coins{k_label, CoinPurpose::slot};
  bool lowest = false, highest = false;
  for (int i = 0; i < 200; ++i) {
    const std::uint32_t v = coins.below(7);
    TEST_ASSERT_TRUE(v < 7);
    lowest = lowest || v == 0;
    highest = highest || v == 6;
  }
  TEST_ASSERT_TRUE(lowest && highest);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(words_are_the_chacha8_blocks_of_the_label);
  RUN_TEST(bytes_are_the_words_from_the_low_end);
  RUN_TEST(seeking_continues_anywhere_in_the_stream);
  RUN_TEST(every_part_of_the_label_makes_another_stream);
  RUN_TEST(purposes_never_share_a_coin);
  RUN_TEST(below_stays_below_and_reaches_both_ends);
  return UNITY_END();
}

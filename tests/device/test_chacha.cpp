// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// ChaCha: the published blocks, and what the private coins rely on.
#include "sotto/chacha.hpp"

#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr std::uint32_t k_zero[8] = {};

void key_of_rfc(std::uint32_t key[8]) {
  for (std::uint32_t i = 0; i < 8; ++i) key[i] = 0x03020100u + 0x04040404u * i;
}

void the_block_of_rfc_8439_section_2_3_2_comes_out() {
  std::uint32_t key[8], block[16];
  key_of_rfc(key);
  const std::uint32_t nonce[3] = {0x09000000u, 0x4a000000u, 0};
  chacha_block(key, 1, nonce, ChachaRounds::private_coins, block);
  const std::uint32_t expected[16] = {0xe4e7f110u, 0x15593bd1u, 0x1fdd0f50u, 0xc47120a3u, 0xc7f4d1c7u, 0x0368c033u,
                                      0x9aaa2204u, 0x4e6cd4c3u, 0x466482d2u, 0x09aa9f07u, 0x05d7c214u, 0xa2028bd9u,
                                      0xd19c12b5u, 0xb94e16deu, 0xe883d0cbu, 0x4e3c50a2u};
  TEST_ASSERT_EQUAL_HEX32_ARRAY(expected, block, 16);
}

void the_zero_key_of_rfc_8439_appendix_a_comes_out() {
  std::uint32_t block[16];
  chacha_block(k_zero, 0, k_zero, ChachaRounds::private_coins, block);
  TEST_ASSERT_EQUAL_HEX32(0xade0b876u, block[0]);
  TEST_ASSERT_EQUAL_HEX32(0x8665eeb2u, block[15]);
  chacha_block(k_zero, 1, k_zero, ChachaRounds::private_coins, block);
  TEST_ASSERT_EQUAL_HEX32(0xbee7079fu, block[0]);
}

void eight_rounds_are_another_function_of_the_same_state() {
  std::uint32_t block[16];
  chacha_block(k_zero, 0, k_zero, ChachaRounds::public_coins, block);
  TEST_ASSERT_EQUAL_HEX32(0x2fef003eu, block[0]);  // 3e 00 ef 2f: the eSTREAM stream of ChaCha8, key and nonce zero
  TEST_ASSERT_EQUAL_HEX32(0xd6405f89u, block[1]);
}

void the_output_may_replace_the_key() {
  std::uint32_t apart[16], in_place[16] = {};
  const std::uint32_t nonce[3] = {1, 2, 3};
  key_of_rfc(in_place);
  std::uint32_t key[8];
  key_of_rfc(key);
  chacha_block(key, 7, nonce, ChachaRounds::private_coins, apart);
  chacha_block(in_place, 7, nonce, ChachaRounds::private_coins, in_place);
  TEST_ASSERT_EQUAL_HEX32_ARRAY(apart, in_place, 16);
}

void every_input_word_matters() {
  std::uint32_t first[16], other[16];
  const std::uint32_t nonce[3] = {};
  chacha_block(k_zero, 0, nonce, ChachaRounds::public_coins, first);
  for (std::uint32_t changed = 0; changed < 12; ++changed) {
    std::uint32_t key[8] = {}, counter = 0, changed_nonce[3] = {};
    if (changed < 8) key[changed] = 1;
    if (changed == 8) counter = 1;
    if (changed > 8) changed_nonce[changed - 9] = 1;
    chacha_block(key, counter, changed_nonce, ChachaRounds::public_coins, other);
    std::uint32_t same = 0;
    for (int i = 0; i < 16; ++i) same += first[i] == other[i] ? 1u : 0u;
    TEST_ASSERT_EQUAL_UINT32(0, same);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_block_of_rfc_8439_section_2_3_2_comes_out);
  RUN_TEST(the_zero_key_of_rfc_8439_appendix_a_comes_out);
  RUN_TEST(eight_rounds_are_another_function_of_the_same_state);
  RUN_TEST(the_output_may_replace_the_key);
  RUN_TEST(every_input_word_matters);
  return UNITY_END();
}

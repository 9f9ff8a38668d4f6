// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Masks and clips at the ends of 32 bits, where a sign or a carry goes wrong first.
#include "sotto/masks.hpp"

#include <limits>

#include "seeded_entropy.hpp"
#include "sotto/fixed.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr std::int32_t k_low = std::numeric_limits<std::int32_t>::min(),
                       k_high = std::numeric_limits<std::int32_t>::max();
constexpr std::int32_t k_extremes[] = {k_low, k_low + 1, -65536, -32769, -32768, -32767, -2,         -1,    0,
                                       1,     2,         32767,  32768,  32769,  65536,  k_high - 1, k_high};

void comparisons_give_all_ones_or_zero() {
  for (const std::int32_t sa : k_extremes) {
    TEST_ASSERT_EQUAL_HEX32(sa < 0 ? ~0u : 0u, mask_negative(sa));
    for (const std::int32_t sb : k_extremes) {
      const auto a = static_cast<std::uint32_t>(sa), b = static_cast<std::uint32_t>(sb);
      TEST_ASSERT_EQUAL_HEX32(a < b ? ~0u : 0u, mask_less(a, b));
      TEST_ASSERT_EQUAL_HEX32(a == b ? ~0u : 0u, mask_equal(a, b));
    }
  }
}

void comparisons_hold_for_neighbours_everywhere() {
  SeededEntropy random{1};
  for (int i = 0; i < 500; ++i) {
    const std::uint32_t a = random.word();
    TEST_ASSERT_EQUAL_HEX32(0, mask_less(a, a));
    TEST_ASSERT_EQUAL_HEX32(a != ~0u ? ~0u : 0u, mask_less(a, a + 1));
    TEST_ASSERT_EQUAL_HEX32(a == 0 ? ~0u : 0u, mask_less(a, a - 1));
  }
}

void a_mask_chooses() {
  TEST_ASSERT_EQUAL_HEX32(0x12345678u, choose(~0u, 0x12345678u, 0x9abcdef0u));
  TEST_ASSERT_EQUAL_HEX32(0x9abcdef0u, choose(0, 0x12345678u, 0x9abcdef0u));
}

void a_clip_saturates_for_every_integer() {
  const std::int32_t ranges[][2] = {{-32768, 32768}, {-1, 1},    {0, 0},     {k_low, k_high},
                                    {-4096, 4096},   {k_low, 0}, {0, k_high}};
  for (const auto& r : ranges) {
    for (const std::int32_t v : k_extremes) {
      const std::int32_t expected = v < r[0] ? r[0] : v > r[1] ? r[1] : v;
      TEST_ASSERT_EQUAL_INT32(expected, clip_saturate(v, r[0], r[1]));
    }
  }
  for (const std::int32_t v : k_extremes) {
    TEST_ASSERT_EQUAL_INT32(v < -32768 ? -32768 : v > 32768 ? 32768 : v, answer_q15_saturate(v));
  }
}

void a_magnitude_exists_for_every_integer() {
  TEST_ASSERT_EQUAL_HEX32(0x80000000u, magnitude(k_low));
  TEST_ASSERT_EQUAL_HEX32(0x7fffffffu, magnitude(k_high));
  for (const std::int32_t v : k_extremes) {
    TEST_ASSERT_EQUAL_HEX32(v < 0 ? 0u - static_cast<std::uint32_t>(v) : static_cast<std::uint32_t>(v), magnitude(v));
  }
}

void parity_is_the_number_of_bits_modulo_two() {
  for (std::uint32_t bit = 0; bit < 32; ++bit) TEST_ASSERT_EQUAL_UINT32(1, parity(1u << bit));
  for (std::uint32_t v = 0; v < 4096; ++v) TEST_ASSERT_EQUAL_UINT32(parity(v >> 1) ^ (v & 1u), parity(v));
  TEST_ASSERT_EQUAL_UINT32(0, parity(~0u));
}

void a_category_outside_the_domain_is_zero() {
  TEST_ASSERT_EQUAL_UINT32(4, category_or_zero(4, 5));
  TEST_ASSERT_EQUAL_UINT32(0, category_or_zero(5, 5));
  TEST_ASSERT_EQUAL_UINT32(0, category_or_zero(~0u, 5));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(comparisons_give_all_ones_or_zero);
  RUN_TEST(comparisons_hold_for_neighbours_everywhere);
  RUN_TEST(a_mask_chooses);
  RUN_TEST(a_clip_saturates_for_every_integer);
  RUN_TEST(a_magnitude_exists_for_every_integer);
  RUN_TEST(parity_is_the_number_of_bits_modulo_two);
  RUN_TEST(a_category_outside_the_domain_is_zero);
  return UNITY_END();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What Ed25519 stands on: carries at the edges of the field, and encodings that honest signatures never show.
#include <initializer_list>

#include "../../device/src/ed25519/point.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr std::uint32_t k_ones = 0xffffffffu;

/// 2^255 - 19 + n, twice that + n, and n, for a small n.
FieldElement p_plus(std::int32_t n) {
  return {{static_cast<std::uint32_t>(-19 + n), k_ones, k_ones, k_ones, k_ones, k_ones, k_ones, 0x7fffffffu}};
}
FieldElement twice_p_plus(std::int32_t n) {
  return {{static_cast<std::uint32_t>(-38 + n), k_ones, k_ones, k_ones, k_ones, k_ones, k_ones, k_ones}};
}
FieldElement small(std::uint32_t n) { return {{n}}; }

void expect_number(const FieldElement& expected, FieldElement got) {
  field_canonical(got);
  TEST_ASSERT_EQUAL_HEX32_ARRAY(expected.word, got.word, k_field_words);
}

void every_pattern_has_one_canonical_form() {
  expect_number(small(0), small(0));
  expect_number(p_plus(-1), p_plus(-1));
  expect_number(small(0), p_plus(0));
  expect_number(small(18), p_plus(18));  // 2^255 - 1
  expect_number(p_plus(-1), twice_p_plus(-1));
  expect_number(small(0), twice_p_plus(0));
  expect_number(small(37), twice_p_plus(37));  // 2^256 - 1
  FieldElement top = {};                       // 2^255
  top.word[7] = 0x80000000u;
  expect_number(small(19), top);
  top.word[7] = 0xffffffffu;  // 2^256 - 2^224, which is below 2p
  top.word[0] = 5;
  FieldElement expected = top;
  expected.word[0] += 19;
  expected.word[7] = 0x7fffffffu;
  expect_number(expected, top);
}

void sums_and_differences_wrap_twice_where_they_must() {
  const FieldElement most = twice_p_plus(37), zero = small(0), one = small(1);  // 37, written as 2^256 - 1
  FieldElement out;
  field_add(out, most, most);
  expect_number(small(74), out);
  field_add(out, most, one);
  expect_number(small(38), out);
  field_subtract(out, zero, most);
  expect_number(p_plus(-37), out);
  field_subtract(out, zero, one);
  expect_number(p_plus(-1), out);
  field_subtract(out, most, most);
  expect_number(zero, out);
  field_subtract(out, one, most);
  expect_number(p_plus(-36), out);
  out = most;  // the result in the place of both
  field_add(out, out, out);
  expect_number(small(74), out);
}

void products_and_powers() {
  const FieldElement most = twice_p_plus(37), minus_one = p_plus(-1);
  FieldElement out, power;
  field_multiply(out, most, most);
  expect_number(small(37 * 37), out);
  field_multiply(out, minus_one, minus_one);
  expect_number(small(1), out);
  field_multiply(out, twice_p_plus(-1), most);
  expect_number(p_plus(-37), out);
  for (const std::uint32_t a : {2u, 3u, 0x80000001u}) {  // a^(p-1) = 1, and p - 1 = 8 (2^252 - 3) + 4
    const FieldElement base = small(a);
    field_power(power, base);
    for (int i = 0; i < 3; ++i) field_multiply(power, power, power);
    for (int i = 0; i < 4; ++i) field_multiply(power, power, base);
    expect_number(small(1), power);
  }
  TEST_ASSERT_TRUE(field_is_zero(p_plus(0)) && field_is_zero(twice_p_plus(0)) && !field_is_zero(most));
}

void encode_small_y(std::uint8_t* out, std::int32_t y, bool from_p) {
  const FieldElement f = from_p ? p_plus(y) : small(static_cast<std::uint32_t>(y));
  for (int i = 0; i < 32; ++i) out[i] = static_cast<std::uint8_t>(f.word[i / 4] >> (8 * (i % 4)));
}

void points_have_one_encoding_and_some_numbers_none() {
  constexpr std::uint64_t k_no_point = 0x5480523984ull;  // bit y: no x fits, from the reference
  std::uint8_t text[32];
  Point point;
  for (std::int32_t y = 0; y < 40; ++y) {
    encode_small_y(text, y, false);
    TEST_ASSERT_EQUAL_UINT8((k_no_point >> y & 1u) == 0, point_decode_negative(text, point));
    if ((k_no_point >> y & 1u) != 0) continue;
    const bool has_sign = y != 1;  // at x = 0 both signs are one point
    TEST_ASSERT_EQUAL_UINT8(!has_sign, point_encodes_to(point, text));
    text[31] = 0x80;
    TEST_ASSERT_EQUAL_UINT8(has_sign, point_encodes_to(point, text));
  }
  for (std::int32_t y = 0; y < 19; ++y) {  // the same numbers with p added, which 255 bits still hold
    encode_small_y(text, y, true);
    TEST_ASSERT_FALSE(point_decode_negative(text, point));
    text[31] |= 0x80;
    TEST_ASSERT_FALSE(point_decode_negative(text, point));
  }
}

void small_orders_are_found() {
  std::uint8_t text[32];
  Point point = k_identity;
  TEST_ASSERT_TRUE(point_spent_has_small_order(point));
  point = k_generator;
  TEST_ASSERT_FALSE(point_spent_has_small_order(point));
  encode_small_y(text, 0, false);  // order 4
  TEST_ASSERT_TRUE(point_decode_negative(text, point));
  TEST_ASSERT_TRUE(point_spent_has_small_order(point));
  encode_small_y(text, -1, true);  // order 2
  TEST_ASSERT_TRUE(point_decode_negative(text, point));
  TEST_ASSERT_TRUE(point_spent_has_small_order(point));
}

void the_order_of_the_generator_is_the_order() {
  Point sum = k_identity;
  for (int bit = 252; bit >= 0; --bit) {
    point_add(sum, sum);
    if ((k_order[bit / 32] >> bit % 32 & 1u) != 0) point_add(sum, k_generator);
  }
  TEST_ASSERT_TRUE(field_is_zero(sum.x));
  field_subtract(sum.y, sum.y, sum.z);
  TEST_ASSERT_TRUE(field_is_zero(sum.y));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(every_pattern_has_one_canonical_form);
  RUN_TEST(sums_and_differences_wrap_twice_where_they_must);
  RUN_TEST(products_and_powers);
  RUN_TEST(points_have_one_encoding_and_some_numbers_none);
  RUN_TEST(small_orders_are_found);
  RUN_TEST(the_order_of_the_generator_is_the_order);
  return UNITY_END();
}

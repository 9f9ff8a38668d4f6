// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The Walsh-Hadamard transform against its definition.
#include "sotto/hadamard.hpp"

#include "seeded_entropy.hpp"
#include "sotto/masks.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

std::int32_t values[256], copy[256];

void a_unit_vector_becomes_a_walsh_function() {
  for (std::uint32_t size = 1; size <= 64; size <<= 1) {
    for (std::uint32_t i = 0; i < size; ++i) {
      for (std::uint32_t j = 0; j < size; ++j) values[j] = j == i ? 1 : 0;
      hadamard_wrap(values, size);
      for (std::uint32_t j = 0; j < size; ++j) TEST_ASSERT_EQUAL_INT32(parity(i & j) != 0 ? -1 : 1, values[j]);
    }
  }
}

void four_numbers_come_out_as_by_hand() {
  values[0] = 1, values[1] = 2, values[2] = 3, values[3] = 10;
  hadamard_wrap(values, 4);
  const std::int32_t expected[4] = {16, -8, -10, 6};
  TEST_ASSERT_EQUAL_INT32_ARRAY(expected, values, 4);
}

void twice_is_the_size_times_the_input() {
  SeededEntropy random{1};
  for (std::int32_t j = 0; j < 256; ++j) copy[j] = values[j] = static_cast<std::int32_t>(random.word()) >> 16;
  hadamard_wrap(values, 256);
  hadamard_wrap(values, 256);
  for (std::int32_t j = 0; j < 256; ++j) TEST_ASSERT_EQUAL_INT32(256 * copy[j], values[j]);
}

void overflow_wraps() {
  for (std::int32_t j = 0; j < 4; ++j) values[j] = 0x7fffffff;
  hadamard_wrap(values, 4);
  TEST_ASSERT_EQUAL_INT32(-4, values[0]);  // 4 (2^31 - 1) modulo 2^32
  TEST_ASSERT_EQUAL_INT32(0, values[1]);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_unit_vector_becomes_a_walsh_function);
  RUN_TEST(four_numbers_come_out_as_by_hand);
  RUN_TEST(twice_is_the_size_times_the_input);
  RUN_TEST(overflow_wraps);
  return UNITY_END();
}

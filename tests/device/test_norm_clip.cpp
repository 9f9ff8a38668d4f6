// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The l2 clip: in integers, never outside the ball, and short vectors untouched.
#include "sotto/arithmetic/norm_clip.hpp"

#include <initializer_list>

#include "seeded_entropy.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr std::int32_t k_largest = (1 << 24) - 1;
std::int32_t v[64], before[64];

std::uint64_t square(std::size_t size) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < size; ++i) sum += static_cast<std::uint64_t>(std::int64_t{v[i]} * v[i]);
  return sum;
}

void clip_and_check(std::size_t size, std::uint32_t radius) {
  for (std::size_t i = 0; i < size; ++i) before[i] = v[i];
  const bool was_short = square(size) <= std::uint64_t{radius} * radius;
  norm_clip({v, size}, radius);
  TEST_ASSERT_TRUE(square(size) <= std::uint64_t{radius} * radius);
  for (std::size_t i = 0; i < size; ++i) {
    TEST_ASSERT_TRUE(!was_short || v[i] == before[i]);
    // Shrinks toward zero and keeps the sign.
    TEST_ASSERT_TRUE(before[i] < 0 ? v[i] >= before[i] && v[i] <= 0 : v[i] <= before[i] && v[i] >= 0);
  }
}

void random_vectors_end_inside_the_ball() {
  SeededEntropy random{1};
  for (int i = 0; i < 300; ++i) {
    const std::size_t size = 1 + (random.word() & 63u);
    const std::uint32_t radius = 1 + (random.word() & 511u), shift = 7 + random.word() % 24;
    for (std::size_t j = 0; j < size; ++j) v[j] = (static_cast<std::int32_t>(random.word()) >> 7) >> (shift - 7);
    clip_and_check(size, radius);
  }
}

void extreme_vectors_end_inside_the_ball() {
  for (const std::uint32_t radius : {1u, 2u, 511u, 512u, 32767u}) {
    for (const std::int32_t size : std::initializer_list<std::int32_t>{k_largest, -k_largest, 1, 0}) {
      for (std::int32_t& c : v) c = size;
      clip_and_check(64, radius);
      for (std::int32_t& c : v) c = 0;
      v[0] = size;
      v[63] = 1;
      clip_and_check(64, radius);
    }
  }
}

void a_vector_on_the_sphere_is_untouched_and_one_step_beyond_is_not() {
  v[0] = 300, v[1] = -400;
  norm_clip({v, 2}, 500);
  TEST_ASSERT_EQUAL_INT32(300, v[0]);
  TEST_ASSERT_EQUAL_INT32(-400, v[1]);
  v[0] = 301, v[1] = -400;
  clip_and_check(2, 500);
  TEST_ASSERT_TRUE(v[0] < 301);
}

void a_long_vector_keeps_its_direction() {
  v[0] = 3'000'000, v[1] = -4'000'000;
  norm_clip({v, 2}, 500);
  TEST_ASSERT_EQUAL_INT32(300, v[0]);
  TEST_ASSERT_EQUAL_INT32(-400, v[1]);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(random_vectors_end_inside_the_ball);
  RUN_TEST(extreme_vectors_end_inside_the_ball);
  RUN_TEST(a_vector_on_the_sphere_is_untouched_and_one_step_beyond_is_not);
  RUN_TEST(a_long_vector_keeps_its_direction);
  return UNITY_END();
}

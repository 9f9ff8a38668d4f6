// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Rounding to the grid of the noise: never outside the ball, and the same bits on every target.
#include "sotto/local/grid_ball.hpp"

#include "result_digest.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_unit = 1u << 24;
std::int32_t v[64];

std::int64_t square(std::size_t n) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += std::int64_t{v[i]} * v[i];
  return sum;
}

void numbers_inside_are_rounded_to_nearest() {
  v[0] = 49152, v[1] = -49152, v[2] = 49151, v[3] = 16384 * 100 + 1;  // a step is 2^15: 1.5, -1.5, 1.49.., 50
  grid_ball({v, 4}, k_unit, 512);
  TEST_ASSERT_EQUAL_INT32(2, v[0]);
  TEST_ASSERT_EQUAL_INT32(-2, v[1]);
  TEST_ASSERT_EQUAL_INT32(1, v[2]);
  TEST_ASSERT_EQUAL_INT32(50, v[3]);
}

void long_vectors_keep_their_direction() {
  v[0] = 0x7fffffff, v[1] = -0x7fffffff - 1;
  grid_ball({v, 2}, k_unit, 500);
  TEST_ASSERT_INT32_WITHIN(1, 353, v[0]);
  TEST_ASSERT_INT32_WITHIN(1, -353, v[1]);
}

// 64 numbers of 2.5 steps lie in a ball of 20 steps; rounded to 3 they would be 24 steps long.
void rounding_does_not_leave_the_ball() {
  for (std::int32_t& c : v) c = static_cast<std::int32_t>(k_unit / 8);
  grid_ball(v, k_unit, 20);
  TEST_ASSERT_TRUE(square(64) <= 20 * 20);
  TEST_ASSERT_EQUAL_INT32(2, v[0]);
}

void every_target_gives_the_same_bits_inside_the_ball() {
  SeededEntropy seeded{11};
  ResultDigest digest;
  for (std::uint32_t n = 0; n < 200; ++n) {
    const std::size_t size = 1 + seeded.word() % 64;
    const std::uint32_t shift = seeded.word() % 31,
                        radius = 1 + (seeded.word() >> (1 + seeded.word() % 31)) % 0x7fffffffu;
    const std::uint32_t grid = 1 + (n % 2 == 0 ? seeded.word() % 512 : seeded.word() % 32767);
    for (std::int32_t& c : v) c = static_cast<std::int32_t>(seeded.word()) >> shift;
    if (n % 7 == 0) v[0] = -0x7fffffff - 1;
    grid_ball({v, size}, radius, grid);
    TEST_ASSERT_TRUE(square(size) <= std::int64_t{grid} * grid);
    digest.add({v, size});
  }
  digest.expect("8c7607e8e1da6ad8734ca98ead51e0d81df909ae16525be550d31c88238d7eec");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(numbers_inside_are_rounded_to_nearest);
  RUN_TEST(long_vectors_keep_their_direction);
  RUN_TEST(rounding_does_not_leave_the_ball);
  RUN_TEST(every_target_gives_the_same_bits_inside_the_ball);
  return UNITY_END();
}

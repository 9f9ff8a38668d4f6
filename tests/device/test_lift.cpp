// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Lifting to the sphere and clipping to a ball: exact cases, the norm in integers, and the same bits on every target.
#include "sotto/local/lift.hpp"

#include "result_digest.hpp"
#include "sotto/arithmetic/norm_q24.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::int32_t k_one = 1 << 24;
constexpr std::int32_t k_min = -0x7fffffff - 1;

void six_tenths_lift_to_eight_tenths() {
  const std::int32_t g[2] = {6 * (k_one / 2), 0};
  Q15 unit[3];
  lift(g, 5u << 24, unit);
  TEST_ASSERT_EQUAL_INT16(19660, unit[0]);
  TEST_ASSERT_EQUAL_INT16(0, unit[1]);
  TEST_ASSERT_EQUAL_INT16(26214, unit[2]);
}

void the_rim_saturates_upward_and_reaches_minus_one() {
  const std::int32_t up[1] = {k_one}, down[1] = {-k_one}, far[1] = {k_min};
  Q15 unit[2];
  lift(up, 1u << 24, unit);
  TEST_ASSERT_EQUAL_INT16(32767, unit[0]);
  TEST_ASSERT_EQUAL_INT16(255, unit[1]);
  lift(down, 1u << 24, unit);
  TEST_ASSERT_EQUAL_INT16(-32768, unit[0]);
  TEST_ASSERT_EQUAL_INT16(0, unit[1]);
  lift(far, 1, unit);
  TEST_ASSERT_EQUAL_INT16(-32768, unit[0]);
}

void nothing_lifts_to_the_pole() {
  Q15 unit[1];
  lift({}, 1, unit);
  TEST_ASSERT_EQUAL_INT16(32767, unit[0]);
}

void norms_are_rounded_up() {
  const std::int32_t five[2] = {3, -4}, root_two[2] = {1, 1}, ends[3] = {k_min, 0x7fffffff, k_min};
  TEST_ASSERT_EQUAL_UINT64(5u, norm_ceil(five));
  TEST_ASSERT_EQUAL_UINT64(2u, norm_ceil(root_two));
  TEST_ASSERT_EQUAL_UINT64(0u, norm_ceil({}));
  // sqrt(3) 2^31 = 3719550786.1; a few units of the shift above.
  TEST_ASSERT_TRUE(norm_ceil(ends) >= 3719550787u && norm_ceil(ends) <= 3719550787u + 8u);
}

void every_target_gives_the_same_bits_inside_the_ball() {
  SeededEntropy seeded{8};
  ResultDigest digest;
  std::int32_t g[40];
  Q15 unit[41];
  for (std::uint32_t n = 0; n < 300; ++n) {
    const std::size_t count = seeded.word() % 41;
    const std::uint32_t shift = seeded.word() & 31u;
    for (std::size_t j = 0; j < count; ++j) g[j] = static_cast<std::int32_t>(seeded.word()) >> shift;
    const std::uint32_t radius = 1 + (seeded.word() >> (1 + (seeded.word() & 15u)) & 0x3fffffffu);
    lift({g, count}, radius, unit);
    std::uint32_t square = 0;
    for (std::size_t j = 0; j <= count; ++j) {
      square += static_cast<std::uint32_t>(unit[j] * unit[j]);
      digest.add(unit[j]);
    }
    TEST_ASSERT_TRUE(square <= 1u << 30);
    norm_clip_q24({g, count}, radius);
    digest.add({g, count});
  }
  digest.expect("5b414c131138fd8d0ca7c1e803ddcd6f54684d83caf2d29df2f2dcd1bf331a2a");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(six_tenths_lift_to_eight_tenths);
  RUN_TEST(the_rim_saturates_upward_and_reaches_minus_one);
  RUN_TEST(nothing_lifts_to_the_pole);
  RUN_TEST(norms_are_rounded_up);
  RUN_TEST(every_target_gives_the_same_bits_inside_the_ball);
  return UNITY_END();
}

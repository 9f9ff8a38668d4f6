// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Links: a straight line from a table, and the same bits on every target.
#include "sotto/local/link.hpp"

#include "result_digest.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::int32_t k_one = 1 << 24;

void a_straight_table_is_a_straight_line() {
  const LinkPoint points[3] = {{-k_one, k_one / 2}, {0, k_one / 2}, {k_one, k_one / 2}};  // u/2 on [-2, 2]
  const Link link{LinkKind::table, {-2 * k_one, 25, link_points(points)}};
  TEST_ASSERT_EQUAL_UINT8(Status::ok, link_check(link));
  for (std::int32_t u = -100 * k_one; u <= 100 * k_one; u += 1234567) {
    const LinkPoint f = link_at(link, u);
    TEST_ASSERT_INT32_WITHIN(1, u / 2, f.value_q24);
    TEST_ASSERT_INT32_WITHIN(1, k_one / 2, f.slope_q24);
  }
}

void the_logistic_is_one_half_at_zero_and_complements_itself() {
  TEST_ASSERT_EQUAL_INT32(k_one / 2, logistic_q24(0));
  TEST_ASSERT_INT32_WITHIN(512, 12265238, logistic_q24(k_one));  // 0.7310586
  for (std::int32_t u = 0; u < 20 * k_one; u += 999983) {
    TEST_ASSERT_EQUAL_INT32(k_one, logistic_q24(u) + logistic_q24(-u));
  }
}

void every_target_gives_the_same_bits() {
  SeededEntropy seeded{4};
  ResultDigest digest;
  LinkPoint points[k_link_points_max];
  for (std::uint32_t n = 0; n < 40; ++n) {
    const std::size_t count = 2 + seeded.word() % 64;
    const std::uint32_t log2_step = 16 + seeded.word() % 11;
    const std::uint32_t rise = (1u << (log2_step - 16)) * 256;  // slopes up to 1, about
    std::int32_t value = -(1 << 28);
    for (LinkPoint& p : points) {
      p = {value, static_cast<std::int32_t>(seeded.word() >> 6)};
      value += static_cast<std::int32_t>(seeded.word() % rise);
    }
    const Link link{LinkKind::table,
                    {static_cast<std::int32_t>(seeded.word()) >> 4, log2_step, link_points({points, count})}};
    TEST_ASSERT_EQUAL_UINT8(Status::ok, link_check(link));
    for (int i = 0; i < 20; ++i) {
      const auto u = static_cast<std::int32_t>(static_cast<std::int32_t>(seeded.word()) >> (seeded.word() & 15u));
      const LinkPoint f = link_at(link, u);
      digest.add(f.value_q24);
      digest.add(f.slope_q24);
      digest.add(link_residual_q24(link, u, static_cast<Q15>(seeded.word()), k_one));
      digest.add(logistic_q24(u));
    }
  }
  digest.expect("894e738a8c252c653ae82b02788202a1b9429e8576eb3cdbf425e383ae6fd23d");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_straight_table_is_a_straight_line);
  RUN_TEST(the_logistic_is_one_half_at_zero_and_complements_itself);
  RUN_TEST(every_target_gives_the_same_bits);
  return UNITY_END();
}

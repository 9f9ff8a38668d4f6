// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Column means: exact small cases, and the same bits on every target.
#include "sotto/local/mean.hpp"

#include "result_digest.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows = 12, k_features = 40;
Q15 numbers[k_rows * (k_features + 1)];
std::int32_t out[k_features];

void means_of_three_rows() {
  const Q15 rows[9] = {32767, -32768, 0, 32767, -32768, 0, 32767, -32767, 0};
  const Samples samples{3, 2, rows, 3, nullptr, nullptr};
  column_means(3, samples, {}, {}, nullptr, {out, 2});
  TEST_ASSERT_EQUAL_INT32(32767 * 512, out[0]);
  TEST_ASSERT_EQUAL_INT32(-16777045, out[1]);  // -(2*32768 + 32767)/3 in Q15: 512/3 above -2^24
  // The nominal number of rows divides, whatever is held.
  column_means(4, samples, {}, {}, nullptr, {out, 2});
  TEST_ASSERT_EQUAL_INT32(32767 * 384, out[0]);
  column_means(2, {2, 2, rows, 3, nullptr, nullptr}, {}, {}, nullptr, {out, 2});
  TEST_ASSERT_EQUAL_INT32(-(1 << 24), out[1]);
}

void no_rows_give_zeros() {
  const Samples none{0, 2, numbers, 3, nullptr, nullptr};
  out[0] = out[1] = 5;
  column_means(100, none, {}, {}, nullptr, {out, 2});
  TEST_ASSERT_EQUAL_INT32(0, out[0]);
  TEST_ASSERT_EQUAL_INT32(0, out[1]);
}

void every_target_gives_the_same_bits() {
  SeededEntropy seeded{6};
  ResultDigest digest;
  const std::uint16_t chosen[3] = {39, 0, 7};
  for (std::uint32_t n = 0; n < 24; ++n) {
    for (Q15& x : numbers) x = seeded_q15(seeded, n & 3u);
    const Samples samples{seeded.word() % (k_rows + 1), k_features, numbers, k_features + 1, nullptr, nullptr};
    const std::uint32_t nominal = 1 + seeded.word() % 1024;
    column_means(nominal, samples, {}, {}, nullptr, out);
    digest.add(out);
    column_means(nominal, samples, {}, chosen, nullptr, {out, 3});
    digest.add({out, 3});
  }
  digest.expect("6784628cefc96944a2b704f692fffae80283e24f0ccfc0b95ea034cfe02c0fc3");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(means_of_three_rows);
  RUN_TEST(no_rows_give_zeros);
  RUN_TEST(every_target_gives_the_same_bits);
  return UNITY_END();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Cubed scores: by hand, nothing at all, and the same bits on every target.
#include "sotto/local/scores.hpp"

#include "result_digest.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows = 12, k_features = 130;
Q15 numbers[k_rows * (k_features + 1)];
std::int32_t out[k_features], residual[k_rows];
alignas(8) std::byte work[screen_work_bytes(k_rows, false)];

bool read_numbers(void*, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* to) {
  for (std::uint32_t j = 0; j < count; ++j) to[j] = numbers[row * (k_features + 1) + first + j];
  return true;
}

void two_columns_of_which_one_is_twice_as_strong() {
  // Orthogonal columns of equal length: scores 2 and -1, cubes 8 and -1, over sqrt(65).
  const Q15 rows[2][4] = {{8192, 8192, 0, 1000}, {8192, -8192, 0, 3000}};
  const Samples samples{2, 3, rows[0], 4, nullptr, nullptr};
  cubed_scores({2, 8192}, samples, {}, work, {out, 3});
  TEST_ASSERT_INT32_WITHIN(1 << 13, 16647293, out[0]);
  TEST_ASSERT_INT32_WITHIN(1 << 13, -2080912, out[1]);
  TEST_ASSERT_EQUAL_INT32(0, out[2]);
}

void nothing_in_common_gives_zeros() {
  const Samples none{0, k_features, nullptr, 0, nullptr, read_numbers};
  for (std::int32_t& v : out) v = 7;
  cubed_scores({k_rows, 8192}, none, {}, work, out);
  for (const std::int32_t v : out) TEST_ASSERT_EQUAL_INT32(0, v);
}

void every_target_gives_the_same_bits() {
  SeededEntropy seeded{41};
  ResultDigest digest;
  for (std::uint32_t n = 0; n < 16; ++n) {
    for (Q15& x : numbers) x = seeded_q15(seeded, n & 3u);
    for (std::int32_t& r : residual) r = static_cast<std::int32_t>(seeded.word()) >> (n & 7u);
    const Samples mapped{k_rows, k_features, numbers, k_features + 1, nullptr, nullptr};
    const Samples hooked{k_rows, k_features, nullptr, 0, nullptr, read_numbers};
    const ScreenSpec spec{k_rows, 8192};
    cubed_scores(spec, (n & 1u) != 0 ? mapped : hooked, {}, work, out);
    digest.add(out);
    cubed_scores(spec, (n & 1u) != 0 ? hooked : mapped, residual, work, out);
    digest.add(out);
  }
  digest.expect("f08737d3e202f876d310c9deb5ef9336f2b4591dbae7128409ba9368016fb7a6");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(two_columns_of_which_one_is_twice_as_strong);
  RUN_TEST(nothing_in_common_gives_zeros);
  RUN_TEST(every_target_gives_the_same_bits);
  return UNITY_END();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Marginal screening on small cases, and the same bits on every target.
#include <cstdint>
#include <span>

#include "result_digest.hpp"
#include "seeded_entropy.hpp"
#include "sotto/local/screen.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows_here_max = 12, k_features_here_max = 150;
Q15 table[k_rows_here_max * (k_features_here_max + 1)];
std::uint32_t stride;
std::byte work[screen_work_bytes(k_rows_here_max, false)];
ScreenedColumn best[20], again[20];

bool read_table(void*, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t j = 0; j < count; ++j) out[j] = table[row * stride + first + j];
  return true;
}

Samples mapped(std::uint32_t rows, std::uint32_t features) {
  stride = features + 1;
  return {rows, features, table, stride, nullptr, nullptr};
}
Samples hooked(std::uint32_t rows, std::uint32_t features) {
  stride = features + 1;
  return {rows, features, nullptr, 0, nullptr, read_table};
}

constexpr ScreenSpec k_spec{4, 8192};

void the_normalised_score_decides_not_the_raw_product() {
  // Column 0 is long and loose, column 1 short and exact, column 2 exact and reversed, column 3 nothing.
  const Q15 rows[4][5] = {{32000, 4000, -8000, 0, 8000},
                          {-32000, 4000, -8000, 0, 8000},
                          {32000, 4000, -8000, 0, 8000},
                          {8000, 4000, -8000, 0, 8000}};
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 5; ++j) table[i * 5 + j] = rows[i][j];
  }
  screen(k_spec, mapped(4, 4), {}, work, std::span{best}.first(4));
  const std::uint16_t order[4] = {2, 1, 0, 3};
  for (int k = 0; k < 4; ++k) {
    TEST_ASSERT_EQUAL_UINT16(order[k], best[k].column);
  }
  TEST_ASSERT_EQUAL_UINT32(0u, best[3].strength);
}

void equal_columns_come_by_number_and_spare_entries_are_none() {
  for (std::uint32_t i = 0; i < 4; ++i) {
    for (std::uint32_t j = 0; j < 4; ++j) table[i * 4 + j] = 1000;
  }
  screen(k_spec, mapped(4, 3), {}, work, std::span{best}.first(5));
  for (std::uint16_t k = 0; k < 3; ++k) TEST_ASSERT_EQUAL_UINT16(k, best[k].column);
  for (int k = 3; k < 5; ++k) {
    TEST_ASSERT_EQUAL_UINT16(3, best[k].column);
    TEST_ASSERT_EQUAL_UINT32(0u, best[k].strength);
  }
}

void without_rows_the_first_columns_stand() {
  screen(k_spec, mapped(0, 9), {}, work, std::span{best}.first(3));
  for (std::uint16_t k = 0; k < 3; ++k) {
    TEST_ASSERT_EQUAL_UINT16(k, best[k].column);
    TEST_ASSERT_EQUAL_UINT32(0u, best[k].strength);
  }
}

void a_residual_takes_the_place_of_the_target() {
  for (std::uint32_t i = 0; i < 8; ++i) {
    table[i * 3] = static_cast<Q15>(i % 2 == 0 ? 9000 : -9000);
    table[i * 3 + 1] = static_cast<Q15>(i < 4 ? 9000 : -9000);
    table[i * 3 + 2] = table[i * 3];  // the target goes with column 0
  }
  const std::int32_t residual_q24[8] = {-40000000, -40000000, -40000000, -40000000,
                                        40000000,  40000000,  40000000,  39999999};
  screen({8, 8192}, mapped(8, 2), {}, work, std::span{best}.first(1));
  TEST_ASSERT_EQUAL_UINT16(0, best[0].column);
  screen({8, 8192}, mapped(8, 2), residual_q24, work, std::span{best}.first(1));
  TEST_ASSERT_EQUAL_UINT16(1, best[0].column);
}

void strength_is_ordered_over_the_whole_range() {
  std::uint32_t before = 0;
  for (std::uint32_t bit = 0; bit <= 40; ++bit) {
    const std::uint32_t strength = screen_strength(std::int64_t{1} << bit, std::uint64_t{1} << 41);
    TEST_ASSERT_TRUE(strength > before);
    before = strength;
    TEST_ASSERT_EQUAL_UINT32(strength, screen_strength(-(std::int64_t{1} << bit), std::uint64_t{1} << 41));
  }
  before = ~0u;
  for (std::uint32_t bit = 0; bit <= 40; ++bit) {
    const std::uint32_t strength = screen_strength(std::int64_t{1} << 40, (std::uint64_t{1} << bit) + 1);
    TEST_ASSERT_TRUE(strength < before);
    before = strength;
  }
}

void all_targets_and_both_readers_give_the_same_bits() {
  ResultDigest digest;
  SeededEntropy entropy{3};
  for (std::uint32_t trial = 0; trial < 6; ++trial) {
    const std::uint32_t rows = 1 + entropy.word() % k_rows_here_max,
                        features = 1 + entropy.word() % k_features_here_max;
    for (std::uint32_t k = 0; k < rows * (features + 1); ++k) {
      table[k] = static_cast<Q15>(static_cast<std::int32_t>(entropy.word()) >> (16 + trial));
    }
    const ScreenSpec spec{1 + entropy.word() % 20, 1 + entropy.word() % 32768};
    screen(spec, mapped(rows, features), {}, work, best);
    screen(spec, hooked(rows, features), {}, work, again);
    for (std::size_t k = 0; k < 20; ++k) {
      TEST_ASSERT_EQUAL_UINT32(best[k].strength, again[k].strength);
      TEST_ASSERT_EQUAL_UINT16(best[k].column, again[k].column);
      digest.add(static_cast<std::int32_t>(best[k].strength));
      digest.add(best[k].column);
    }
  }
  digest.expect("a940789f0e7b6e0fc23a7616a7d473fcd375d5ed39557938ddb22111c8c39c33");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_normalised_score_decides_not_the_raw_product);
  RUN_TEST(equal_columns_come_by_number_and_spare_entries_are_none);
  RUN_TEST(without_rows_the_first_columns_stand);
  RUN_TEST(a_residual_takes_the_place_of_the_target);
  RUN_TEST(strength_is_ordered_over_the_whole_range);
  RUN_TEST(all_targets_and_both_readers_give_the_same_bits);
  return UNITY_END();
}

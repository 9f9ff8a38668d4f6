// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Readings of 32 bits become rows of 16: what the estimators see of them is the same as of narrow ones.
#include <cstdint>

#include "seeded_entropy.hpp"
#include "sotto.h"
#include "sotto/local/column.hpp"
#include "sotto/local/readings.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows = 40;
Q15 narrow[2 * k_rows], placed[2 * k_rows], column[k_rows], other[k_rows];
std::int32_t wide[k_rows];

Samples own(const Q15* rows) {
  Samples samples{{k_rows, 1, rows, 2, nullptr, nullptr}};
  samples.units = RowUnits::own;
  return samples;
}

/// Wide images of a column, near the ends of int32 and near zero, stretched and reflected.
void wide_readings_give_the_column_of_narrow_ones() {
  SeededEntropy random{1};
  const std::int32_t factors[] = {1, 3, -7, 65536, -31001}, offsets[] = {0, 1234567, -2000000000};
  for (int round = 0; round < 20; ++round) {
    const std::uint32_t spread = 2 + random.word() % 600;
    for (std::uint32_t i = 0; i < k_rows; ++i)
      narrow[2 * i] = round % 3 == 1 && i % 5 == 0 ? k_missing_reading : static_cast<Q15>(random.word() % spread);
    copy_column(own(narrow), 0, column, 1);
    for (const std::int32_t factor : factors) {
      for (const std::int32_t offset : offsets) {
        if (offset == -2000000000 && factor < 0) continue;  // below the lowest number
        for (std::uint32_t i = 0; i < k_rows; ++i) {
          const bool missing = narrow[2 * i] == k_missing_reading;
          wide[i] = missing ? SOTTO_NO_WIDE_READING : narrow[2 * i] * factor + offset;
        }
        sotto_place_column(wide, 1, k_rows, placed, 2);
        copy_column(own(placed), 0, other, 1);
        for (std::uint32_t i = 0; i < k_rows; ++i)
          TEST_ASSERT_EQUAL_INT16(factor < 0 ? -column[i] : column[i], other[i]);
      }
    }
  }
}

void what_is_placed_stays_where_it_is() {
  SeededEntropy random{2};
  for (std::int32_t& x : wide) x = static_cast<std::int32_t>(random.word());
  sotto_place_column(wide, 1, k_rows, placed, 1);
  for (std::uint32_t i = 0; i < k_rows; ++i) wide[i] = placed[i];
  sotto_place_column(wide, 1, k_rows, narrow, 1);
  TEST_ASSERT_EQUAL_INT16_ARRAY(placed, narrow, k_rows);
}

void ends_missing_and_constant_readings_have_their_numbers() {
  sotto_range range = SOTTO_EMPTY_RANGE;
  TEST_ASSERT_EQUAL_INT16(0, sotto_range_place(&range, 5));
  sotto_range_add(&range, SOTTO_NO_WIDE_READING);
  sotto_range_add(&range, 1000000);
  TEST_ASSERT_EQUAL_INT16(0, sotto_range_place(&range, 1000000));
  sotto_range_add(&range, 1000010);
  TEST_ASSERT_EQUAL_INT16(-32767, sotto_range_place(&range, 1000000));
  TEST_ASSERT_EQUAL_INT16(32767, sotto_range_place(&range, 1000010));
  TEST_ASSERT_EQUAL_INT16(0, sotto_range_place(&range, 1000005));
  TEST_ASSERT_EQUAL_INT16(6553, sotto_range_place(&range, 1000006));  // 6553.4
  TEST_ASSERT_EQUAL_INT16(-6553, sotto_range_place(&range, 1000004));
  TEST_ASSERT_EQUAL_INT16(32767, sotto_range_place(&range, INT32_MAX));
  TEST_ASSERT_EQUAL_INT16(-32767, sotto_range_place(&range, -5));
  TEST_ASSERT_EQUAL_INT16(SOTTO_NO_READING, sotto_range_place(&range, SOTTO_NO_WIDE_READING));
  range.low = INT32_MAX;
  range.high = INT32_MIN;
  sotto_range_add(&range, INT32_MAX);
  sotto_range_add(&range, INT32_MIN + 1);
  TEST_ASSERT_EQUAL_INT16(0, sotto_range_place(&range, 0));
  TEST_ASSERT_EQUAL_INT16(-32767, sotto_range_place(&range, INT32_MIN + 1));
  TEST_ASSERT_EQUAL_INT16(16384, sotto_range_place(&range, INT32_MAX / 2 + 1));  // a half, away from zero
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(wide_readings_give_the_column_of_narrow_ones);
  RUN_TEST(what_is_placed_stays_where_it_is);
  RUN_TEST(ends_missing_and_constant_readings_have_their_numbers);
  return UNITY_END();
}

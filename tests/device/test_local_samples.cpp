// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Rows from memory and through a hook, views of columns, and readings turned into Q15.
#include <cstdint>
#include <limits>

#include "seeded_entropy.hpp"
#include "sotto/local/readings.hpp"
#include "sotto/local/samples.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows = 5, k_features = 6, k_stride = 8;
Q15 table[k_rows * k_stride];
std::uint32_t missing_row;

bool read_table(void*, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) {
  if (row == missing_row) return false;
  for (std::uint32_t j = 0; j < count; ++j) out[j] = table[row * k_stride + first + j];
  return true;
}

constexpr Samples k_mapped{k_rows, k_features, table, k_stride, nullptr, nullptr};
constexpr Samples k_hooked{k_rows, k_features, nullptr, 0, nullptr, read_table};

void fill_table() {
  SeededEntropy entropy{1};
  for (Q15& q : table) q = static_cast<Q15>(entropy.word() & 0xffffu);
  missing_row = ~0u;
}

void a_hook_gives_the_same_rows_as_memory() {
  fill_table();
  Q15 buffer[k_features];
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    TEST_ASSERT_EQUAL_INT16(sample_target(k_mapped, i), sample_target(k_hooked, i));
    const Q15* const from_hook = sample_columns(k_hooked, i, 2, 3, buffer);
    const Q15* const from_memory = sample_columns(k_mapped, i, 2, 3, nullptr);
    TEST_ASSERT_EQUAL_INT16_ARRAY(from_memory, from_hook, 3);
  }
}

void a_row_that_the_hook_cannot_deliver_is_zero() {
  fill_table();
  missing_row = 3;
  Q15 buffer[2] = {7, 7};
  const Q15* const row = sample_columns(k_hooked, 3, 0, 2, buffer);
  TEST_ASSERT_EQUAL_INT16(0, row[0]);
  TEST_ASSERT_EQUAL_INT16(0, row[1]);
  TEST_ASSERT_EQUAL_INT16(0, sample_target(k_hooked, 3));
  constexpr Samples k_nothing{2, 2, nullptr, 0, nullptr, nullptr};
  TEST_ASSERT_EQUAL_INT16(0, sample_target(k_nothing, 1));
}

void check_view(const ColumnView& view, const std::uint16_t* chosen) {
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    TEST_ASSERT_EQUAL_INT16(table[i * k_stride + k_features], view.target[i * view.stride]);
    for (std::size_t j = 0; j < view.column.size(); ++j) {
      TEST_ASSERT_EQUAL_INT16(table[i * k_stride + chosen[j]], view.base[i * view.stride + view.column[j]]);
    }
  }
}

void every_kind_of_view_shows_the_chosen_columns() {
  fill_table();
  const std::uint16_t chosen[3] = {5, 0, 2};
  std::uint16_t offsets[3];
  Q15 copy[k_rows * 4];
  TEST_ASSERT_EQUAL_UINT32(0u, gathered_size(k_mapped, 3));
  TEST_ASSERT_EQUAL_UINT32(k_rows * 4, gathered_size(k_hooked, 3));
  const ColumnView in_place = gather_columns(k_mapped, chosen, offsets, {});
  TEST_ASSERT_EQUAL_PTR(table, in_place.base);
  check_view(in_place, chosen);
  check_view(gather_columns(k_hooked, chosen, offsets, copy), chosen);
  const ColumnView contiguous = copy_columns(k_mapped, chosen, offsets, copy);
  TEST_ASSERT_EQUAL_UINT32(1u, contiguous.stride);
  check_view(contiguous, chosen);
}

void readings_are_rounded_to_the_nearest() {
  const ReadingScale quarter{0, 1, 2};
  const std::int32_t reading[] = {-7, -6, -5, -2, -1, 0, 1, 2, 5, 6, 7};
  const Q15 expected[] = {-2, -1, -1, 0, 0, 0, 0, 1, 1, 2, 2};  // a half goes up
  for (int i = 0; i < 11; ++i) TEST_ASSERT_EQUAL_INT16(expected[i], reading_q15_saturate(reading[i], quarter));
  // 20 to 30 degrees in tenths: the middle is 0, five degrees are one half.
  const ReadingScale tenths{-250ll * 335544, 335544, 10};
  TEST_ASSERT_EQUAL_INT16(0, reading_q15_saturate(250, tenths));
  TEST_ASSERT_EQUAL_INT16(16384, reading_q15_saturate(300, tenths));
  TEST_ASSERT_EQUAL_INT16(-16384, reading_q15_saturate(200, tenths));
}

void readings_saturate_at_the_ends_of_q15() {
  constexpr std::int32_t k_max = std::numeric_limits<std::int32_t>::max(),
                         k_min = std::numeric_limits<std::int32_t>::min();
  const ReadingScale one{0, 1, 0};
  TEST_ASSERT_EQUAL_INT16(32767, reading_q15_saturate(32767, one));
  TEST_ASSERT_EQUAL_INT16(32767, reading_q15_saturate(32768, one));
  TEST_ASSERT_EQUAL_INT16(-32768, reading_q15_saturate(-32768, one));
  TEST_ASSERT_EQUAL_INT16(-32768, reading_q15_saturate(k_min, one));
  constexpr std::int64_t k_far = std::int64_t{1} << 61;
  TEST_ASSERT_EQUAL_INT16(32767, reading_q15_saturate(k_min, {k_far, k_min, 0}));
  TEST_ASSERT_EQUAL_INT16(-32768, reading_q15_saturate(k_max, {-k_far, k_min, 0}));
  TEST_ASSERT_EQUAL_INT16(2, reading_q15_saturate(k_min, {0, k_min, 61}));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_hook_gives_the_same_rows_as_memory);
  RUN_TEST(a_row_that_the_hook_cannot_deliver_is_zero);
  RUN_TEST(every_kind_of_view_shows_the_chosen_columns);
  RUN_TEST(readings_are_rounded_to_the_nearest);
  RUN_TEST(readings_saturate_at_the_ends_of_q15);
  return UNITY_END();
}

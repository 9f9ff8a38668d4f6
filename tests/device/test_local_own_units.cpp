// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Rows that a device centres and scales itself: no affine change of a column changes a bit, and every target agrees.
#include <cstdint>
#include <span>

#include "result_digest.hpp"
#include "seeded_entropy.hpp"
#include "sotto/local/column.hpp"
#include "sotto/local/gradient.hpp"
#include "sotto/local/residual.hpp"
#include "sotto/local/screen.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows = 24, k_features = 60, k_width = k_features + 1;
// Two tables; or one of many rows, for the largest sums. The smallest board has 16 KiB.
Q15 storage[2 * k_rows * k_width];
Q15 *const table = storage, *const changed = storage + k_rows * k_width;
const Q15* shown = storage;
std::byte work[screen_work_bytes(k_rows, false)];
ScreenedColumn best[12], again[12];
std::int32_t residual[k_rows], sums[8], other_sums[8];
Q15 column[k_rows], other_column[k_rows];

bool read_table(void*, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) {
  for (std::uint32_t j = 0; j < count; ++j) out[j] = shown[row * k_width + first + j];
  return true;
}

/// Fails one time in three, and for other rows when it is asked again.
bool read_unreliably(void* random, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) {
  return static_cast<SeededEntropy*>(random)->word() % 3 != 0 && read_table(nullptr, row, first, count, out);
}

Samples mapped(const Q15* rows, RowUnits units) {
  Samples samples{{k_rows, k_features, rows, k_width, nullptr, nullptr}};
  samples.units = units;
  return samples;
}
Samples hooked(RowUnits units) {
  Samples samples{{k_rows, k_features, nullptr, 0, nullptr, read_table}};
  samples.units = units;
  return samples;
}

std::uint32_t below(SeededEntropy& random, std::uint32_t n) { return random.word() % n; }

/// Small numbers, so that columns can be stretched; some columns are coarse, constant, rare, or have missing readings.
void fill(SeededEntropy& random) {
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    for (std::uint32_t j = 0; j < k_width; ++j) {
      std::int32_t x = static_cast<std::int32_t>(below(random, 601)) - 300;
      if (j % 10 == 1) x = static_cast<std::int32_t>(below(random, 2));
      if (j % 10 == 2) x = 7;
      if (j % 10 == 3) x = i == j % k_rows ? 300 : static_cast<std::int32_t>(below(random, 3));
      if (j % 10 == 4 && below(random, 5) == 0) x = k_missing_reading;
      table[i * k_width + j] = static_cast<Q15>(x);
    }
  }
}

/// Every column times its own factor plus its own offset; missing readings stay missing.
void change(SeededEntropy& random) {
  for (std::uint32_t j = 0; j < k_width; ++j) {
    const auto factor = static_cast<std::int32_t>(1 + below(random, 90));
    const auto offset = static_cast<std::int32_t>(below(random, 10001)) - 5000;
    for (std::uint32_t i = 0; i < k_rows; ++i) {
      const std::int32_t x = table[i * k_width + j];
      changed[i * k_width + j] = static_cast<Q15>(x == k_missing_reading ? x : x * factor + offset);
    }
  }
}

constexpr ScreenSpec k_spec{k_rows, 8192};
constexpr std::uint16_t k_model_features[] = {0, 3, 5, 13, 14, 50, 51, 59};
constexpr std::int32_t k_model_values[] = {1 << 22, -(1 << 23), 1 << 21, 1 << 20, -(1 << 24), 1 << 22, 3 << 20, 5};
constexpr SparseModel k_model{k_model_features, k_model_values};

void expect_same(const std::span<ScreenedColumn>& a, const std::span<ScreenedColumn>& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    TEST_ASSERT_EQUAL_UINT16(a[k].column, b[k].column);
    TEST_ASSERT_EQUAL_UINT32(a[k].strength, b[k].strength);
  }
}

void an_affine_change_of_every_column_changes_no_bit() {
  SeededEntropy random{1};
  for (int round = 0; round < 6; ++round) {
    fill(random);
    change(random);
    const Samples one = mapped(table, RowUnits::own), other = mapped(changed, RowUnits::own);
    screen(k_spec, one, {}, work, best);
    screen(k_spec, other, {}, work, again);
    expect_same(best, again);
    for (std::uint32_t j = 0; j < k_width; ++j) {
      copy_column(one, j, column, 1);
      copy_column(other, j, other_column, 1);
      TEST_ASSERT_EQUAL_INT16_ARRAY(column, other_column, k_rows);
    }
    const GradientSpec spec{{}, k_rows, 2 << 24};
    gradient(spec, one, k_model, k_model_features, work, sums);
    gradient(spec, other, k_model, k_model_features, work, other_sums);
    TEST_ASSERT_EQUAL_INT32_ARRAY(sums, other_sums, 8);
  }
}

void a_reversed_column_has_the_reversed_numbers() {
  SeededEntropy random{2};
  fill(random);
  for (std::uint32_t i = 0; i < k_rows * k_width; ++i)
    changed[i] = static_cast<Q15>(table[i] == k_missing_reading ? table[i] : -3 * table[i] + 11);
  for (std::uint32_t j = 0; j < k_width; ++j) {
    copy_column(mapped(table, RowUnits::own), j, column, 1);
    copy_column(mapped(changed, RowUnits::own), j, other_column, 1);
    for (std::uint32_t i = 0; i < k_rows; ++i) TEST_ASSERT_EQUAL_INT16(-column[i], other_column[i]);
  }
}

void a_constant_column_and_a_missing_reading_are_zero() {
  SeededEntropy random{3};
  fill(random);
  const Samples samples = mapped(table, RowUnits::own);
  copy_column(samples, 2, column, 1);
  for (const Q15 x : column) TEST_ASSERT_EQUAL_INT16(0, x);
  copy_column(samples, 4, column, 1);
  int missing = 0;
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    if (table[i * k_width + 4] != k_missing_reading) continue;
    TEST_ASSERT_EQUAL_INT16(0, column[i]);
    ++missing;
  }
  TEST_ASSERT_TRUE(missing > 0);
  for (std::uint32_t i = 0; i < k_rows; ++i) table[i * k_width + k_features] = 5;  // a constant target
  screen(k_spec, samples, {}, work, best);
  TEST_ASSERT_EQUAL_UINT32(0u, best[0].strength);
}

void readings_are_deviations_from_the_mean_clipped_at_four() {
  for (std::uint32_t i = 0; i < k_rows; ++i) {
    table[i * k_width] = static_cast<Q15>(i % 2 == 0 ? 30000 : 29998);   // mean 29999, deviation 1
    table[i * k_width + 1] = static_cast<Q15>(i == 0 ? 32767 : -32767);  // 4.8 deviations away
  }
  const Samples samples = mapped(table, RowUnits::own);
  copy_column(samples, 0, column, 1);
  TEST_ASSERT_EQUAL_INT16(8192, column[0]);
  TEST_ASSERT_EQUAL_INT16(-8192, column[1]);
  copy_column(samples, 1, column, 1);
  TEST_ASSERT_EQUAL_INT16(32767, column[0]);
  TEST_ASSERT_EQUAL_INT16(-1708, column[1]);  // 8192 / sqrt(23)
  copy_column(mapped(table, RowUnits::centred), 0, column, 1);
  TEST_ASSERT_EQUAL_INT16(1, column[0]);
}

/// Readings as far apart as they can be, most of them at one end.
void fill_wide(SeededEntropy& random) {
  for (std::uint32_t j = 0; j < k_width; ++j) {
    const std::int32_t end = j % 2 == 0 ? 32767 : -32767;
    const std::uint32_t away = below(random, k_rows);
    for (std::uint32_t i = 0; i < k_rows; ++i) {
      const std::int32_t x =
          i == away ? -end : end - end / 32767 * static_cast<std::int32_t>(below(random, 1 + 300 * j));
      table[i * k_width + j] = static_cast<Q15>(j % 8 == 4 && below(random, 9) == 0 ? k_missing_reading : x);
    }
  }
}

void far_readings_at_either_end_are_clipped_alike() {
  SeededEntropy random{8};
  for (int round = 0; round < 10; ++round) {
    fill_wide(random);
    for (std::uint32_t i = 0; i < k_rows * k_width; ++i)
      changed[i] = static_cast<Q15>(table[i] == k_missing_reading ? table[i] : -table[i]);
    screen(k_spec, mapped(table, RowUnits::own), {}, work, best);
    screen(k_spec, mapped(changed, RowUnits::own), {}, work, again);
    expect_same(best, again);
    shown = table;
    screen(k_spec, hooked(RowUnits::own), {}, work, again);
    expect_same(best, again);
  }
}

void rows_of_a_hook_are_the_same_rows() {
  SeededEntropy random{4};
  for (const RowUnits units : {RowUnits::own, RowUnits::centred}) {
    fill(random);
    shown = table;
    residuals_q24(mapped(table, units), k_model, column, residual);
    screen(k_spec, mapped(table, units), residual, work, best);
    residuals_q24(hooked(units), k_model, column, residual);
    screen(k_spec, hooked(units), residual, work, again);
    expect_same(best, again);
  }
}

void a_hook_that_fails_now_and_then_gives_scores_all_the_same() {
  SeededEntropy random{6};
  for (int round = 0; round < 20; ++round) {
    fill(random);
    // Of three readings the first two have a variance below the square of the step between the first and the last.
    for (std::uint32_t i = 0; i < k_rows; ++i) {
      for (std::uint32_t j = 0; j < k_features; j += 2) {
        const std::int32_t x = i == 0 ? 0 : i == 1 ? 1 : i == 2 ? 300 : k_missing_reading;
        table[i * k_width + j] = static_cast<Q15>(x);
      }
    }
    shown = table;
    Samples samples = hooked(RowUnits::own);
    samples.context = &random;
    samples.read = read_unreliably;
    screen(k_spec, samples, {}, work, best);
    for (const ScreenedColumn& c : best) TEST_ASSERT_TRUE(c.strength == 0 || (c.strength & 0x8000u) != 0);
    for (std::uint32_t j = 0; j < k_width; ++j) copy_column(samples, j, column, 1);
  }
}

void a_row_without_a_target_says_nothing() {
  SeededEntropy random{7};
  fill(random);
  constexpr std::uint32_t k_none = 9;
  table[k_none * k_width + k_features] = k_missing_reading;
  const Samples samples = mapped(table, RowUnits::own);
  residuals_q24(samples, k_model, column, residual);
  TEST_ASSERT_EQUAL_INT32(0, residual[k_none]);
  for (const LinkKind kind : {LinkKind::identity, LinkKind::logistic}) {
    gradient({{kind, {}}, k_rows, 2 << 24}, samples, k_model, k_model_features, work, sums);
    const auto* const rho = reinterpret_cast<const std::int32_t*>(work);  // what each row says is first there
    TEST_ASSERT_EQUAL_INT32(0, rho[k_none]);
    TEST_ASSERT_TRUE(rho[k_none + 1] != 0);
  }
}

void the_largest_readings_overflow_nothing() {
  static_assert(2 * k_rows_max <= sizeof storage / sizeof *storage);
  Q15* const wide = storage;
  for (std::uint32_t i = 0; i < k_rows_max; ++i) {
    wide[2 * i] = static_cast<Q15>(i % 2 == 0 ? 32767 : -32767);
    wide[2 * i + 1] = static_cast<Q15>(i % 2 == 0 ? -32767 : 32767);
  }
  Samples samples{{k_rows_max, 1, wide, 2, nullptr, nullptr}};
  samples.units = RowUnits::own;
  alignas(8) static std::byte space[screen_work_bytes(k_rows_max, true)];
  auto* const whole = reinterpret_cast<Q15*>(space);
  copy_column(samples, 0, whole, 1);
  TEST_ASSERT_EQUAL_INT16(8192, whole[0]);
  TEST_ASSERT_EQUAL_INT16(-8192, whole[k_rows_max - 1]);
  screen({k_rows_max, 8192}, samples, {}, space, std::span{best}.first(1));
  TEST_ASSERT_TRUE(best[0].strength > 0);
}

void every_target_computes_the_same_bits() {
  SeededEntropy random{5};
  ResultDigest digest;
  for (const RowUnits units : {RowUnits::own, RowUnits::centred}) {
    for (int round = 0; round < 4; ++round) {
      fill(random);
      const Samples samples = mapped(table, units);
      residuals_q24(samples, k_model, column, residual);
      digest.add(residual);
      screen(k_spec, samples, residual, work, best);
      for (const ScreenedColumn& c : best) {
        digest.add(static_cast<std::int32_t>(c.strength));
        digest.add(c.column);
      }
      gradient({{}, k_rows, 2 << 24}, samples, k_model, k_model_features, work, sums);
      digest.add(sums);
    }
  }
  digest.expect("dcb653c6cc95425a2e54e888651fd3d21e992a732c65abfde7a32ef45c00f9d0");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(an_affine_change_of_every_column_changes_no_bit);
  RUN_TEST(a_reversed_column_has_the_reversed_numbers);
  RUN_TEST(a_constant_column_and_a_missing_reading_are_zero);
  RUN_TEST(readings_are_deviations_from_the_mean_clipped_at_four);
  RUN_TEST(far_readings_at_either_end_are_clipped_alike);
  RUN_TEST(rows_of_a_hook_are_the_same_rows);
  RUN_TEST(a_hook_that_fails_now_and_then_gives_scores_all_the_same);
  RUN_TEST(a_row_without_a_target_says_nothing);
  RUN_TEST(the_largest_readings_overflow_nothing);
  RUN_TEST(every_target_computes_the_same_bits);
  return UNITY_END();
}

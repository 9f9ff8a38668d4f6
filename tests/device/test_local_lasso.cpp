// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The Lasso where the answer is known by hand, in every degenerate case, and the same bits on every target.
#include <cstdint>
#include <span>

#include "result_digest.hpp"
#include "seeded_entropy.hpp"
#include "sotto/local/lasso.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows_here_max = 40, k_columns_max = 24;
Q15 table[k_rows_here_max * (k_columns_max + 1)];
std::uint16_t numbers[k_columns_max];
std::byte work[lasso_work_bytes(k_rows_here_max, k_columns_max)];
std::int32_t beta_q24[k_columns_max];

ColumnView view_of(std::uint32_t rows, std::uint32_t columns) {
  for (std::uint32_t j = 0; j < columns; ++j) numbers[j] = static_cast<std::uint16_t>(j);
  return {table, columns + 1, rows, std::span{numbers}.first(columns), table + columns};
}
Q15& cell(std::uint32_t row, std::uint32_t column, std::uint32_t columns) {
  return table[row * (columns + 1) + column];
}

constexpr std::uint32_t q24(std::uint32_t numerator, std::uint32_t denominator) {
  return static_cast<std::uint32_t>((std::uint64_t{numerator} << 24) / denominator);
}

void solve(const LassoSpec& spec, const ColumnView& view) { lasso(spec, view, work, beta_q24); }

// Columns that do not overlap: each coefficient is its own least squares, less lambda*m / ||x||^2.
void separate_columns_are_shrunk_each_for_itself() {
  for (Q15& q : table) q = 0;
  for (std::uint32_t i = 0; i < 8; ++i) cell(i, 0, 3) = 16384;    // ||x||^2 = 2
  for (std::uint32_t i = 8; i < 16; ++i) cell(i, 1, 3) = -16384;  // 2
  for (std::uint32_t i = 16; i < 20; ++i) cell(i, 2, 3) = 16384;  // 1
  for (std::uint32_t i = 0; i < 20; ++i) cell(i, 3, 3) = 8192;    // y = 1/4
  // Rounding of lambda counts 5 here.
  solve({.nominal_rows = 20, .lambda_q24 = q24(1, 40)}, view_of(20, 3));  // lambda*m = 1/2; x'y = 1, -1, 1/2
  TEST_ASSERT_INT32_WITHIN(8, 1 << 22, beta_q24[0]);                      // (1 - 1/2) / 2
  TEST_ASSERT_INT32_WITHIN(8, -(1 << 22), beta_q24[1]);
  TEST_ASSERT_EQUAL_INT32(0, beta_q24[2]);
  // m in the formula is the nominal one.
  solve({.nominal_rows = 10, .lambda_q24 = q24(1, 40)}, view_of(20, 3));
  TEST_ASSERT_INT32_WITHIN(8, 3 << 21, beta_q24[0]);  // (1 - 1/4) / 2
  TEST_ASSERT_INT32_WITHIN(8, 1 << 22, beta_q24[2]);  // (1/2 - 1/4) / 1
}

void degenerate_data_has_an_answer() {
  for (Q15& q : table) q = 0;
  beta_q24[0] = beta_q24[1] = 99;
  solve({.nominal_rows = 10, .lambda_q24 = 100}, view_of(0, 2));  // no rows
  TEST_ASSERT_EQUAL_INT32(0, beta_q24[0]);
  TEST_ASSERT_EQUAL_INT32(0, beta_q24[1]);
  solve({.nominal_rows = 10, .lambda_q24 = 0}, view_of(10, 2));  // only zeros
  TEST_ASSERT_EQUAL_INT32(0, beta_q24[0]);
  solve({.nominal_rows = 10, .lambda_q24 = 0}, view_of(10, 0));  // no columns
  for (std::uint32_t i = 0; i < 4; ++i) cell(i, 0, 1) = 1, cell(i, 1, 1) = 32767;
  solve({.nominal_rows = 4, .lambda_q24 = 0}, view_of(4, 1));  // y is 32767 times x: the coefficient saturates
  TEST_ASSERT_EQUAL_INT32(k_beta_q24_max, beta_q24[0]);
  for (std::uint32_t i = 0; i < 4; ++i) cell(i, 0, 1) = cell(i, 1, 1) = -32768;
  solve({.nominal_rows = 4, .lambda_q24 = 0}, view_of(4, 1));
  TEST_ASSERT_INT32_WITHIN(4, 1 << 24, beta_q24[0]);
  solve({.nominal_rows = 4, .lambda_q24 = ~0u}, view_of(4, 1));
  TEST_ASSERT_EQUAL_INT32(0, beta_q24[0]);
}

void of_equal_columns_the_first_is_selected() {
  SeededEntropy entropy{5};
  for (std::uint32_t i = 0; i < 20; ++i) {
    const auto x = static_cast<Q15>(static_cast<std::int32_t>(entropy.word()) >> 18);
    for (std::uint32_t j = 0; j < 3; ++j) cell(i, j, 3) = x;
    cell(i, 1, 3) = static_cast<Q15>(entropy.word() & 0xfffu);
    cell(i, 3, 3) = x;
  }
  solve({.nominal_rows = 20, .lambda_q24 = q24(1, 1000)}, view_of(20, 3));
  TEST_ASSERT_TRUE(beta_q24[0] > 1 << 23);
  TEST_ASSERT_EQUAL_INT32(0, beta_q24[2]);
}

void visits_are_never_exceeded_and_the_last_iterate_stands() {
  SeededEntropy entropy{6};
  for (Q15& q : table) q = static_cast<Q15>(static_cast<std::int32_t>(entropy.word()) >> 17);
  solve({.nominal_rows = 40, .lambda_q24 = 0, .visits = 0}, view_of(40, 24));
  for (const std::int32_t b : beta_q24) TEST_ASSERT_EQUAL_INT32(0, b);
  // Two visits: half for the path, half for lambda. So at most two coefficients.
  solve({.nominal_rows = 40, .lambda_q24 = 0, .visits = 2}, view_of(40, 24));
  std::uint32_t selected = 0;
  for (const std::int32_t b : beta_q24) selected += b != 0;
  TEST_ASSERT_TRUE(selected >= 1 && selected <= 2);
}

void the_rule_for_lambda_follows_its_formula() {
  // noise 1/4, unit 1/4: sqrt(2 ln 1024 / 100) / 16 = 0.0232710
  TEST_ASSERT_UINT32_WITHIN(100u, 390424u, lambda_rule_q24(1024, 100, 8192, 8192));
  TEST_ASSERT_UINT32_WITHIN(50u, 195212u, lambda_rule_q24(1024, 100, 8192, 8192, 16384));
  TEST_ASSERT_EQUAL_UINT32(lambda_rule_q24(2, 100, 8192, 8192), lambda_rule_q24(0, 100, 8192, 8192));
  TEST_ASSERT_EQUAL_UINT32(0u, lambda_rule_q24(1024, 100, 8192, 0));
  TEST_ASSERT_TRUE(lambda_rule_q24(~0u, 0, ~0u, ~0u, ~0u) > 1u << 30);
}

void all_targets_give_the_same_bits() {
  ResultDigest digest;
  SeededEntropy entropy{7};
  for (std::uint32_t trial = 0; trial < 8; ++trial) {
    const std::uint32_t rows = 1 + entropy.word() % k_rows_here_max, columns = 1 + entropy.word() % k_columns_max;
    // Some columns are near copies of their neighbour, so that there is something to creep along.
    for (std::uint32_t i = 0; i < rows; ++i) {
      std::int32_t before = 0;
      for (std::uint32_t j = 0; j <= columns; ++j) {
        const std::int32_t fresh = static_cast<std::int32_t>(entropy.word()) >> (trial < 2 ? 16 : 18);
        const bool copy = trial % 2 == 1 && j % 3 != 0;
        before = copy ? before + fresh / 64 : fresh;
        cell(i, j, columns) = static_cast<Q15>(before > 32767 ? 32767 : before < -32768 ? -32768 : before);
      }
    }
    const std::uint32_t nominal = 1 + entropy.word() % k_rows_here_max;
    solve({.nominal_rows = nominal, .lambda_q24 = entropy.word() >> (12 + trial), .visits = 2000},
          view_of(rows, columns));
    digest.add(std::span<const std::int32_t>{beta_q24}.first(columns));
  }
  digest.expect("b2d22d1879f7ff57f23b8a2bb64108546acff21fa807e825c66a2d0dd444b479");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(separate_columns_are_shrunk_each_for_itself);
  RUN_TEST(degenerate_data_has_an_answer);
  RUN_TEST(of_equal_columns_the_first_is_selected);
  RUN_TEST(visits_are_never_exceeded_and_the_last_iterate_stands);
  RUN_TEST(the_rule_for_lambda_follows_its_formula);
  RUN_TEST(all_targets_give_the_same_bits);
  return UNITY_END();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// SCAD: strong coefficients are not shrunk, weak ones as by the Lasso, and the same bits on every target.
#include <cstdint>
#include <span>

#include "result_digest.hpp"
#include "seeded_entropy.hpp"
#include "sotto/local/scad.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_rows_here_max = 40, k_columns_max = 16;
Q15 table[k_rows_here_max * (k_columns_max + 1)];
std::uint16_t numbers[k_columns_max];
std::byte work[lasso_work_bytes(k_rows_here_max, k_columns_max)];
std::int32_t beta_q24[k_columns_max], lasso_q24[k_columns_max];

ColumnView view_of(std::uint32_t rows, std::uint32_t columns) {
  for (std::uint32_t j = 0; j < columns; ++j) numbers[j] = static_cast<std::uint16_t>(j);
  return {table, columns + 1, rows, std::span{numbers}.first(columns), table + columns};
}

void the_weight_falls_from_one_at_lambda_to_zero_at_its_3_7_fold() {
  constexpr std::uint32_t k_corner = 1u << 20;
  TEST_ASSERT_EQUAL_UINT32(32768u, scad_weight_q15(0, k_corner));
  TEST_ASSERT_EQUAL_UINT32(32768u, scad_weight_q15(k_corner, k_corner));
  TEST_ASSERT_UINT32_WITHIN(1u, 32768u * 17 / 27, scad_weight_q15(2 * k_corner, k_corner));
  TEST_ASSERT_EQUAL_UINT32(0u, scad_weight_q15(k_corner / 10 * 37 + 10, k_corner));
  TEST_ASSERT_EQUAL_UINT32(0u, scad_weight_q15(1u << 31, k_corner));
  TEST_ASSERT_EQUAL_UINT32(0u, scad_weight_q15(1, 0));
  TEST_ASSERT_EQUAL_UINT32(32768u, scad_weight_q15(0, 0));
}

// Two columns of unit 1/2 that do not overlap: the strong one gets its least squares, the weak one its Lasso.
void a_strong_coefficient_is_not_shrunk_and_a_weak_one_is() {
  for (Q15& q : table) q = 0;
  for (std::uint32_t i = 0; i < 40; ++i) {
    table[i * 3 + (i < 20 ? 0 : 1)] = 16384;                     // ||x||^2 = 5 each
    table[i * 3 + 2] = static_cast<Q15>(i < 20 ? 16384 : 1638);  // b = 1 and 0.1
  }
  // lambda = 1/100: lambda*m/||x||^2 = 0.08; corner = lambda/unit^2 = 0.04 at unit 1/2.
  const ScadSpec spec{{.nominal_rows = 40, .lambda_q24 = 167772}, 16384};
  scad(spec, k_scad_rounds, view_of(40, 2), work, beta_q24);
  lasso(spec.lasso, view_of(40, 2), work, lasso_q24);
  TEST_ASSERT_INT32_WITHIN(32, 1 << 24, beta_q24[0]);
  TEST_ASSERT_INT32_WITHIN(64, 15435038, lasso_q24[0]);  // 0.92
  TEST_ASSERT_EQUAL_INT32(lasso_q24[1], beta_q24[1]);    // 0.02: below the corner
  TEST_ASSERT_INT32_WITHIN(600, 335544, beta_q24[1]);
}

void degenerate_data_has_an_answer() {
  for (Q15& q : table) q = 0;
  beta_q24[0] = 99;
  const ScadSpec spec{{.nominal_rows = 4, .lambda_q24 = 1000}, 8192};
  scad(spec, k_scad_rounds, view_of(0, 1), work, beta_q24);
  TEST_ASSERT_EQUAL_INT32(0, beta_q24[0]);
  scad({{.nominal_rows = 4, .lambda_q24 = 0}, 1}, k_scad_rounds, view_of(4, 1), work, beta_q24);
  TEST_ASSERT_EQUAL_INT32(0, beta_q24[0]);
}

void all_targets_give_the_same_bits() {
  ResultDigest digest;
  SeededEntropy entropy{8};
  for (std::uint32_t trial = 0; trial < 4; ++trial) {
    const std::uint32_t rows = 10 + entropy.word() % 30, columns = 2 + entropy.word() % 14;
    for (std::uint32_t i = 0; i < rows; ++i) {
      std::int32_t target = static_cast<std::int32_t>(entropy.word()) >> 19;
      for (std::uint32_t j = 0; j < columns; ++j) {
        const std::int32_t x = static_cast<std::int32_t>(entropy.word()) >> 18;
        table[i * (columns + 1) + j] = static_cast<Q15>(x);
        if (j < 2) target += x / 2;
      }
      table[i * (columns + 1) + columns] = static_cast<Q15>(target);
    }
    const ScadSpec spec{{.nominal_rows = rows, .lambda_q24 = entropy.word() >> 15}, 4096};
    scad(spec, k_scad_rounds, view_of(rows, columns), work, beta_q24);
    digest.add(std::span<const std::int32_t>{beta_q24}.first(columns));
  }
  digest.expect("d0497b1ad8c1771e6ab3dffa02c1cf60a0a3c9a3420116f0e2e21a28f51889ba");
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_weight_falls_from_one_at_lambda_to_zero_at_its_3_7_fold);
  RUN_TEST(a_strong_coefficient_is_not_shrunk_and_a_weak_one_is);
  RUN_TEST(degenerate_data_has_an_answer);
  RUN_TEST(all_targets_give_the_same_bits);
  return UNITY_END();
}

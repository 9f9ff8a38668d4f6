/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* C99: what a firmware written in C asks before it reserves memory. */
#include "sotto/questions.h"
#include "unity.h"

void setUp(void) {}
void tearDown(void) {}

static void a_thousand_features_fit_in_six_kilobytes(void) {
  const size_t screening = sotto_screen_work_bytes(200, false), lasso = sotto_lasso_work_bytes(200, 64);
  TEST_ASSERT_LESS_OR_EQUAL_UINT(6 * 1024, screening + 64 * 16);
  TEST_ASSERT_LESS_OR_EQUAL_UINT(6 * 1024, lasso + 64 * 16);
  TEST_ASSERT_LESS_THAN_UINT(screening, sotto_screen_work_bytes(200, true));
}

static void sizes_are_the_documented_ones(void) {
  TEST_ASSERT_EQUAL_UINT(279, sotto_least_squares_work_bytes(8));
  TEST_ASSERT_EQUAL_UINT(2631, sotto_least_squares_work_bytes(32));
  TEST_ASSERT_EQUAL_UINT(7 + 200 * 4 + 64 * 20, sotto_lasso_work_bytes(200, 64));
  TEST_ASSERT_EQUAL_UINT(7 + 8 * 6, sotto_update_work_bytes(8));
  TEST_ASSERT_EQUAL_UINT(7 + 256 * 4 + 256 / 8, sotto_hadamard_project_work_bytes(256));
}

static void only_rows_from_a_hook_are_copied(void) {
  TEST_ASSERT_EQUAL_UINT(0, sotto_gathered_bytes(200, 64, true));
  TEST_ASSERT_EQUAL_UINT(200 * 65 * 2, sotto_gathered_bytes(200, 64, false));
}

int main(void) {
  UNITY_BEGIN();
  RUN_TEST(a_thousand_features_fit_in_six_kilobytes);
  RUN_TEST(sizes_are_the_documented_ones);
  RUN_TEST(only_rows_from_a_hook_are_copied);
  return UNITY_END();
}

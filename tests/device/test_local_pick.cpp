// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Which variable a device votes for: exact shares of the draws, a fixed number of words, and none.
#include <cstdint>
#include <span>

#include "seeded_entropy.hpp"
#include "sotto/local/pick.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::uint32_t k_none = 1000;
const std::uint16_t columns[5] = {40, 10, 30, 20, 50};
const std::int32_t beta_q24[5] = {0, -6, 2, 0, 4};

std::uint32_t picked(Pick how, std::uint64_t draw) { return pick_by(how, columns, beta_q24, k_none, draw); }

void the_strongest_is_the_largest_in_size_and_the_first_of_equals() {
  TEST_ASSERT_EQUAL_UINT32(10u, picked(Pick::strongest, 0));
  TEST_ASSERT_EQUAL_UINT32(10u, picked(Pick::strongest, ~0ull));
  const std::int32_t equal[5] = {0, 3, -3, 3, 0};
  TEST_ASSERT_EQUAL_UINT32(10u, pick_by(Pick::strongest, columns, equal, k_none, 0));
  const std::int32_t extreme[2] = {INT32_MAX, INT32_MIN};
  TEST_ASSERT_EQUAL_UINT32(10u, pick_by(Pick::strongest, columns, extreme, k_none, 0));
}

// Draw k of n equal parts of 2^64, near its first and its last number.
void check_shares(Pick how, std::uint32_t parts, const std::uint32_t* expected) {
  const std::uint64_t part = ~0ull / parts;
  for (std::uint32_t k = 0; k < parts; ++k) {
    TEST_ASSERT_EQUAL_UINT32(expected[k], picked(how, part * k + parts));
    TEST_ASSERT_EQUAL_UINT32(expected[k], picked(how, part * (k + 1) - 1));
  }
}

void random_picks_divide_the_draws_exactly() {
  const std::uint32_t uniform[3] = {10, 30, 50};
  check_shares(Pick::uniform, 3, uniform);
  const std::uint32_t weighted[12] = {10, 10, 10, 10, 10, 10, 30, 30, 50, 50, 50, 50};
  check_shares(Pick::weighted, 12, weighted);
  TEST_ASSERT_EQUAL_UINT32(10u, picked(Pick::weighted, 0));
  TEST_ASSERT_EQUAL_UINT32(50u, picked(Pick::weighted, ~0ull));
}

void nothing_selected_is_none_for_every_way_to_pick() {
  const std::int32_t zeros[5] = {};
  for (const Pick how : {Pick::strongest, Pick::uniform, Pick::weighted}) {
    TEST_ASSERT_EQUAL_UINT32(k_none, pick_by(how, columns, zeros, k_none, 0));
    TEST_ASSERT_EQUAL_UINT32(k_none, pick_by(how, columns, zeros, k_none, ~0ull));
    TEST_ASSERT_EQUAL_UINT32(k_none, pick_by(how, {}, {}, k_none, 12345));
  }
}

// After a pick the coins stand where they stand after two words, whatever the coefficients were.
void the_number_of_words_does_not_depend_on_the_coefficients() {
  const std::int32_t zeros[5] = {}, one[5] = {0, 0, 9, 0, 0};
  for (const Pick how : {Pick::strongest, Pick::uniform, Pick::weighted}) {
    SeededEntropy plain_entropy{9};
    PrivateCoins plain;
    TEST_ASSERT_EQUAL(Status::ok, plain.begin_report(plain_entropy.source()));
    if (how != Pick::strongest) {
      (void)plain.word();
      (void)plain.word();
    }
    const std::uint32_t next = plain.word();
    for (const std::int32_t* const b : {beta_q24, zeros, one}) {
      SeededEntropy entropy{9};
      PrivateCoins coins;
      std::uint32_t feature = 0;
      TEST_ASSERT_EQUAL(Status::ok, coins.begin_report(entropy.source()));
      TEST_ASSERT_EQUAL(Status::ok, pick(how, columns, {b, 5}, k_none, coins, feature));
      TEST_ASSERT_EQUAL_UINT32(next, coins.word());
    }
  }
}

void coins_without_a_report_are_refused_only_where_they_are_needed() {
  PrivateCoins coins;
  std::uint32_t feature = 77;
  TEST_ASSERT_EQUAL(Status::entropy_not_ready, pick(Pick::uniform, columns, beta_q24, k_none, coins, feature));
  TEST_ASSERT_EQUAL(Status::entropy_not_ready, pick(Pick::weighted, columns, beta_q24, k_none, coins, feature));
  TEST_ASSERT_EQUAL_UINT32(77u, feature);
  TEST_ASSERT_EQUAL(Status::ok, pick(Pick::strongest, columns, beta_q24, k_none, coins, feature));
  TEST_ASSERT_EQUAL_UINT32(10u, feature);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_strongest_is_the_largest_in_size_and_the_first_of_equals);
  RUN_TEST(random_picks_divide_the_draws_exactly);
  RUN_TEST(nothing_selected_is_none_for_every_way_to_pick);
  RUN_TEST(the_number_of_words_does_not_depend_on_the_coefficients);
  RUN_TEST(coins_without_a_report_are_refused_only_where_they_are_needed);
  return UNITY_END();
}

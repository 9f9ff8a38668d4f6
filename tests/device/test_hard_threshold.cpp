// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The k largest magnitudes: exact cases, ties, and a plain selection as the reference.
#include "sotto/local/hard_threshold.hpp"

#include <cstddef>
#include <cstdint>

#include "seeded_entropy.hpp"
#include "sotto/fixed.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;

constexpr std::int32_t k_min = -0x7fffffff - 1;

template <std::size_t n>
void expect(const std::int32_t (&wanted)[n], const std::int32_t (&input)[n], std::uint32_t keep) {
  std::int32_t v[n];
  for (std::size_t j = 0; j < n; ++j) v[j] = input[j];
  hard_threshold(v, keep);
  TEST_ASSERT_EQUAL_INT32_ARRAY(wanted, v, n);
}

void the_largest_stay_with_their_sign() {
  expect<5>({0, -7, 0, 6, 0}, {5, -7, 1, 6, -2}, 2);
  expect<3>({k_min, 0, 0}, {k_min, 0x7fffffff, -0x7fffffff}, 1);
  expect<3>({k_min, 0x7fffffff, 0}, {k_min, 0x7fffffff, -0x7fffffff}, 2);
}

void of_equal_ones_the_lower_index_stays() {
  expect<4>({3, -3, 0, 0}, {3, -3, 3, -3}, 2);
  expect<5>({0, 2, 9, -2, 0}, {1, 2, 9, -2, 2}, 3);
  expect<3>({0, 0, 0}, {0, 0, 0}, 1);
}

void none_all_and_more_than_all() {
  expect<3>({0, 0, 0}, {4, -4, 1}, 0);
  expect<3>({4, -4, 1}, {4, -4, 1}, 3);
  expect<3>({4, -4, 1}, {4, -4, 1}, 4000000000u);
  hard_threshold({}, 0);
  hard_threshold({}, 1);
}

void agrees_with_repeated_selection_of_the_maximum() {
  SeededEntropy seeded{9};
  for (int repeat = 0; repeat < 100; ++repeat) {
    std::int32_t v[30], wanted[30] = {};
    const std::size_t count = 1 + seeded.word() % 30;
    const std::uint32_t keep = seeded.word() % 31, shift = seeded.word() & 31u;  // large shifts: many ties
    for (std::size_t j = 0; j < count; ++j) v[j] = static_cast<std::int32_t>(seeded.word()) >> shift;
    bool taken[30] = {};
    for (std::uint32_t k = 0; k < keep && k < count; ++k) {
      std::size_t best = count;
      for (std::size_t j = 0; j < count; ++j) {
        if (!taken[j] && (best == count || magnitude(v[j]) > magnitude(v[best]))) best = j;
      }
      taken[best] = true;
      wanted[best] = v[best];
    }
    hard_threshold({v, count}, keep);
    TEST_ASSERT_EQUAL_INT32_ARRAY(wanted, v, count);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_largest_stay_with_their_sign);
  RUN_TEST(of_equal_ones_the_lower_index_stays);
  RUN_TEST(none_all_and_more_than_all);
  RUN_TEST(agrees_with_repeated_selection_of_the_maximum);
  return UNITY_END();
}

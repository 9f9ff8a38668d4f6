// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Two-level channels: the threshold that spends epsilon passes, the next one does not, and none is judged alone.
#include "sotto/two_level.hpp"

#include <initializer_list>

#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr EpsilonNano k_epsilons[] = {k_epsilon_one / 10, k_epsilon_one / 2, k_epsilon_one,     2 * k_epsilon_one,
                                      4 * k_epsilon_one,  8 * k_epsilon_one, 12 * k_epsilon_one};
struct Shape {
  std::uint32_t outcomes, inside;
};
constexpr Shape k_shapes[] = {{2, 1},
                              {3, 1},
                              {3, 2},
                              {8, 1},
                              {12, 3},
                              {64, 1},
                              {512, 33},
                              {1024, 64},
                              {8192, 256},
                              {65536, 1},
                              {1u << 24, 1},
                              {1u << 24, 190051},
                              {128, 127},
                              {1u << 24, 1u << 23},
                              {k_outcomes_max, 1},
                              {k_outcomes_max, k_outcomes_max - 1}};

void expect_status(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}

void the_derived_threshold_passes_and_the_next_one_is_refused() {
  for (const Shape& s : k_shapes) {
    for (const EpsilonNano epsilon : k_epsilons) {
      TwoLevel c{s.outcomes, s.inside, 0};
      expect_status(Status::ok, two_level_threshold(s.outcomes, s.inside, epsilon, c.threshold));
      expect_status(Status::ok, two_level_check(c, epsilon));
      ++c.threshold;
      expect_status(Status::overspent, two_level_check(c, epsilon));
    }
  }
}

void thresholds_are_those_of_60_digit_arithmetic() {
  // The largest T with T (M-k) <= e^epsilon k (2^32-T), from 60 digits of e^epsilon; none lies within 10^-2 of the next.
  struct Known {
    std::uint32_t outcomes, inside;
    EpsilonNano epsilon;
    std::uint32_t threshold;
  };
  constexpr Known k_known[] = {{2, 1, 100000000, 2254768441u},      {2, 1, 1000000000, 3139872686u},
                               {2, 1, 8000000000, 4293526978u},     {8, 1, 2000000000, 2205548027u},
                               {12, 3, 4000000000, 4071263897u},    {512, 33, 4000000000, 3392939760u},
                               {1024, 64, 6000000000, 4140999618u}, {16777216, 190051, 4000000000, 1652837296u},
                               {1025, 1, 500000000, 6904122u},      {7, 1, 12000000000, 4294808966u}};
  for (const Known& k : k_known) {
    std::uint32_t threshold = 0;
    expect_status(Status::ok, two_level_threshold(k.outcomes, k.inside, k.epsilon, threshold));
    TEST_ASSERT_EQUAL_UINT32(k.threshold, threshold);
  }
}

void one_part_in_2_to_the_20_too_much_is_refused() {
  for (const Shape& s : k_shapes) {
    for (const EpsilonNano epsilon : k_epsilons) {
      TwoLevel c{s.outcomes, s.inside, 0};
      expect_status(Status::ok, two_level_threshold(s.outcomes, s.inside, epsilon, c.threshold));
      const std::uint32_t more = c.threshold + (c.threshold >> 20) + 1;
      if (more < c.threshold) continue;  // beyond 2^32
      c.threshold = more;
      expect_status(Status::overspent, two_level_check(c, epsilon));
    }
  }
}

void the_delivered_epsilon_is_at_most_the_declared_one() {
  for (const Shape& s : k_shapes) {
    for (const EpsilonNano epsilon : k_epsilons) {
      TwoLevel c{s.outcomes, s.inside, 0};
      expect_status(Status::ok, two_level_threshold(s.outcomes, s.inside, epsilon, c.threshold));
      const EpsilonNano delivered = two_level_delivered(c);
      TEST_ASSERT_TRUE(delivered <= epsilon);
      expect_status(Status::ok, two_level_check(c, delivered));
      // One nano-nat less is refused; an even channel delivers the least there is, and zero is no epsilon.
      expect_status(delivered > 1 ? Status::overspent : Status::bad_epsilon, two_level_check(c, delivered - 1));
      ++c.threshold;
      TEST_ASSERT_TRUE(two_level_delivered(c) > epsilon);
    }
  }
}

void a_threshold_of_the_binary_channel_is_refused_where_it_would_exceed() {
  for (const EpsilonNano cap : k_epsilons) {
    std::uint32_t binary = 0;
    expect_status(Status::ok, two_level_threshold(2, 1, cap, binary));
    for (const Shape& s : k_shapes) {
      // At (M, k) the same threshold spends cap + ln((M-k)/k): too much when the inside is the smaller part.
      if (2 * std::uint64_t{s.inside} >= s.outcomes) continue;
      const TwoLevel c{s.outcomes, s.inside, binary};
      expect_status(Status::overspent, two_level_check(c, cap));
      TEST_ASSERT_TRUE(two_level_delivered(c) > cap);
    }
  }
}

void too_little_inside_is_refused_too() {
  // The inverse ratio: an outside outcome that is e^epsilon times likelier than an inside one.
  std::uint32_t binary = 0;
  expect_status(Status::ok, two_level_threshold(2, 1, k_epsilon_one, binary));
  const std::uint32_t mirrored = 0u - binary;
  expect_status(Status::ok, two_level_check({2, 1, mirrored}, k_epsilon_one));
  expect_status(Status::overspent, two_level_check({2, 1, mirrored - 1}, k_epsilon_one));
  expect_status(Status::overspent, two_level_check({2, 1, 0}, k_epsilon_max));
}

void impossible_shapes_are_refused() {
  const Shape bad[] = {{0, 0},   {1, 0},  {1, 1}, {2, 0}, {2, 2}, {2, 3}, {8, 9}, {k_outcomes_max + 1, 1},
                       {~0u, 1}, {5, ~0u}};
  for (const Shape& s : bad) {
    std::uint32_t threshold = 77;
    expect_status(Status::bad_channel, two_level_check({s.outcomes, s.inside, 1u << 31}, k_epsilon_one));
    expect_status(Status::bad_channel, two_level_threshold(s.outcomes, s.inside, k_epsilon_one, threshold));
    TEST_ASSERT_EQUAL_UINT32(77, threshold);
    TEST_ASSERT_EQUAL_HEX64(k_epsilon_max + 1, two_level_delivered({s.outcomes, s.inside, 1u << 31}));
  }
}

void epsilon_has_a_smallest_and_a_largest_value() {
  for (const EpsilonNano epsilon : {EpsilonNano{0}, k_epsilon_max + 1, ~EpsilonNano{0}}) {
    std::uint32_t threshold = 77;
    expect_status(Status::bad_epsilon, two_level_check({2, 1, 1u << 31}, epsilon));
    expect_status(Status::bad_epsilon, two_level_threshold(2, 1, epsilon, threshold));
    TEST_ASSERT_EQUAL_UINT32(77, threshold);
  }
  std::uint32_t threshold = 0;
  expect_status(Status::ok, two_level_threshold(2, 1, 1, threshold));  // a fair coin spends nothing
  TEST_ASSERT_TRUE(threshold >= 1u << 31);
  // An even share of 3 * 2^29 outcomes would be T = 8/3: no whole number is near enough.
  expect_status(Status::bad_epsilon, two_level_threshold(3u << 29, 1, 1, threshold));
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_derived_threshold_passes_and_the_next_one_is_refused);
  RUN_TEST(thresholds_are_those_of_60_digit_arithmetic);
  RUN_TEST(one_part_in_2_to_the_20_too_much_is_refused);
  RUN_TEST(the_delivered_epsilon_is_at_most_the_declared_one);
  RUN_TEST(a_threshold_of_the_binary_channel_is_refused_where_it_would_exceed);
  RUN_TEST(too_little_inside_is_refused_too);
  RUN_TEST(impossible_shapes_are_refused);
  RUN_TEST(epsilon_has_a_smallest_and_a_largest_value);
  return UNITY_END();
}

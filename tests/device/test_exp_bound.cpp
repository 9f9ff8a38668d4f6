// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The upper bound of e^-y against 80-digit values, and its order.
#include "sotto/exp_bound.hpp"

#include "sotto/wide.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

struct Point {
  ExponentQ40 y;
  std::uint64_t floor_q64;  ///< floor(2^64 e^-y), saturated
};

// From 80-digit arithmetic: epsilon of 1, 1000, 10^6, 10^8, 5*10^8, ln 2, 1, 2, 4, 8 and 12 nats (in nano-nats up to 10^9),
// then powers of two of the unit and the end of the range.
constexpr Point k_points[] = {
    {1099, 18446744055271391241u},
    {1099511, 18446725626985233598u},
    {1099511627, 18428306549947196141u},
    {109951162777, 16691304278834597801u},
    {549755813887, 11188515852587341195u},
    {762123384170, 9223372042020568279u},
    {1099511627775, 6786177901275057267u},
    {2199023255551, 2496495334011059348u},
    {4398046511103, 337863903127268723u},
    {8796093022207, 6188193243217320u},
    {13194139533311, 113340712816473u},
    {0, 18446744073709551615u},
    {1, 18446744073692774400u},
    {2, 18446744073675997184u},
    {1048576, 18446726481531895805u},
    {549755813888, 11188515852577165299u},
    {1099511627776, 6786177901268885274u},
    {17592186044416, 2075907567336u},
    {35184372088832, 233612u},
    {70368744177663, 0u},
};

void the_bound_is_never_below_the_truth() {
  for (const Point& p : k_points) {
    const std::uint64_t r = exp_neg_upper_q64(p.y);
    // 2^64 e^-y is not a whole number, so a bound of it is at least the floor plus one (or saturated).
    TEST_ASSERT_TRUE(r > p.floor_q64 || r == ~std::uint64_t{0});
  }
}

void the_bound_is_tight() {
  for (const Point& p : k_points) {
    const std::uint64_t r = exp_neg_upper_q64(p.y);
    TEST_ASSERT_TRUE(r - p.floor_q64 <= (p.floor_q64 >> 36) + 8 + 2);  // 2^-36 of it, 2^-61, and both roundings
  }
}

void the_bound_falls_with_the_exponent() {
  std::uint64_t last = exp_neg_upper_q64(0);
  // Steps that grow by a quarter: across the whole range in some 100 of them.
  for (ExponentQ40 y = 64; y < ExponentQ40{1} << 46; y += 1 + (y >> 2)) {
    const std::uint64_t r = exp_neg_upper_q64(y);
    TEST_ASSERT_TRUE(r < last || r <= 16);
    TEST_ASSERT_TRUE(r <= last);
    last = r;
  }
  TEST_ASSERT_TRUE(last <= 16);
}

void neighbouring_exponents_are_in_order() {
  for (const Point& p : k_points) {
    const ExponentQ40 before = p.y > 0 ? p.y - 1 : 0;
    TEST_ASSERT_TRUE(exp_neg_upper_q64(before) >= exp_neg_upper_q64(p.y));
  }
}

void epsilon_becomes_an_exponent_that_is_rounded_down() {
  TEST_ASSERT_EQUAL_HEX64(1099, exponent_q40(1));  // 1099.511...
  TEST_ASSERT_EQUAL_HEX64((std::uint64_t{1} << 40) - 1, exponent_q40(k_epsilon_one));
  TEST_ASSERT_EQUAL_HEX64(13194139533311u, exponent_q40(k_epsilon_max));
  for (EpsilonNano epsilon = 1; epsilon <= k_epsilon_max; epsilon += 1 + (epsilon >> 3)) {
    // y <= epsilon * 2^40 / 10^9 < y + 2: the factor itself was cut off.
    const std::uint64_t y = exponent_q40(epsilon);
    const U128 exact = multiply_wide(epsilon, std::uint64_t{1} << 40), below = multiply_wide(y, k_epsilon_one),
               above = multiply_wide(y + 2, k_epsilon_one);
    TEST_ASSERT_TRUE(below.high < exact.high || (below.high == exact.high && below.low <= exact.low));
    TEST_ASSERT_TRUE(above.high > exact.high || (above.high == exact.high && above.low > exact.low));
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_bound_is_never_below_the_truth);
  RUN_TEST(the_bound_is_tight);
  RUN_TEST(the_bound_falls_with_the_exponent);
  RUN_TEST(neighbouring_exponents_are_in_order);
  RUN_TEST(epsilon_becomes_an_exponent_that_is_rounded_down);
  return UNITY_END();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <random>

#include "exp_interval.hpp"
#include "sotto/exp_bound.hpp"

namespace sotto::exact {
namespace {

/// Proven for y = h/2^40: R/2^64 >= e^-y, and R/2^64 - e^-y < 2^-36 e^-y + 2^-61.
void expect_bound(std::uint64_t h) {
  const ExpInterval e = exp_neg_interval(h, Integer{1} << 40);
  const Integer r = Integer{exp_neg_upper_q64(h)} << (k_fraction_bits - 64);
  ASSERT_GE(r, e.high) << "h = " << h;
  ASSERT_LT(r - e.low, (e.low >> 36) + (Integer{1} << (k_fraction_bits - 61))) << "h = " << h;
}

TEST(ExpNegUpper, bounds_every_small_exponent) {
  for (std::uint64_t h = 1; h < 1u << 15; ++h) expect_bound(h);
}

TEST(ExpNegUpper, bounds_exponents_of_every_size) {
  std::mt19937_64 random{1};
  for (unsigned bits = 1; bits <= 46; ++bits) {
    const std::uint64_t top = (std::uint64_t{1} << bits) - 1;
    expect_bound(top);
    for (int i = 0; i < 200; ++i) expect_bound((random() & top) | ((top >> 1) + 1));
  }
}

TEST(ExpNegUpper, bounds_the_exponents_that_specs_use) {
  for (std::uint64_t tenth = 1; tenth <= 120; ++tenth) expect_bound(exponent_q40(tenth * (k_epsilon_one / 10)));
}

TEST(ExpNegUpper, stays_below_one_at_zero) { EXPECT_EQ(exp_neg_upper_q64(0), ~std::uint64_t{0}); }

TEST(ExpNegUpper, never_grows_with_the_exponent) {
  std::uint64_t last = ~std::uint64_t{0};
  for (std::uint64_t h = 0; h < std::uint64_t{1} << 46; h += (std::uint64_t{1} << 26) - 5) {
    const std::uint64_t r = exp_neg_upper_q64(h);
    ASSERT_LE(r, last);
    last = r;
  }
}

TEST(ExponentQ40, rounds_down_by_less_than_two_units) {
  std::mt19937_64 random{2};
  const auto expect_floor = [](EpsilonNano epsilon) {
    const Integer exact = Integer{epsilon} << 40, unit = k_epsilon_one, h = exponent_q40(epsilon);
    ASSERT_LE(h * unit, exact) << epsilon;
    ASSERT_GT((h + 2) * unit, exact) << epsilon;
  };
  for (EpsilonNano epsilon = 1; epsilon <= 100'000; ++epsilon) expect_floor(epsilon);
  for (int i = 0; i < 100'000; ++i) expect_floor(1 + random() % k_epsilon_max);
  expect_floor(k_epsilon_max);
}

}  // namespace
}  // namespace sotto::exact

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

#include "sotto/randomize/laplace.hpp"

#include "sotto/exp_bound.hpp"
#include "sotto/wide.hpp"
#include "stem_checks.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;
using namespace sotto::checks;

namespace {

/// The smallest instance: 8 outcomes, three digits for each of two geometric variables.
LaplaceSpec tiny() { return derived(LaplaceSpec{.epsilon = 8 * k_epsilon_one, .radius = 1}); }
LaplaceSpec usual() { return derived(LaplaceSpec{.epsilon = 2 * k_epsilon_one, .radius = 64}); }

std::uint32_t report_of(const Certified<LaplaceSpec>& spec, std::int32_t value, PrivateCoins& coins) {
  std::uint32_t report = 0;
  expect_status(Status::ok, laplace(spec, value, coins, report));
  return report;
}

void a_digit_threshold_is_the_largest_that_its_odds_allow() {
  for (const LaplaceSpec& spec : {tiny(), usual()}) {
    const std::uint64_t step = laplace_step_q40(spec);
    for (std::uint32_t digit = 0; digit < spec.bits; ++digit) {
      // t (2^64 + R) <= R 2^64 for t, and not for t + 1: ceil(t R / 2^64) <= R - t.
      const std::uint64_t odds = exp_neg_upper_q64(step << digit), t = laplace_digit_threshold(step, digit);
      TEST_ASSERT_TRUE(t <= odds && multiply_high_ceil(t, odds) <= odds - t);
      TEST_ASSERT_FALSE(t + 1 <= odds && multiply_high_ceil(t + 1, odds) <= odds - t - 1);
    }
  }
}

void the_noise_is_made_of_the_digits_drawn() {
  for (const LaplaceSpec& spec : {tiny(), usual()}) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      BegunCoins coins{seed}, twin{seed};
      std::uint32_t geometric[2] = {};
      for (std::uint32_t& g : geometric) {
        for (std::uint32_t digit = 0; digit < spec.bits; ++digit) {
          const std::uint64_t low = twin->word(), word = low | std::uint64_t{twin->word()} << 32;
          if (word < laplace_digit_threshold(laplace_step_q40(spec), digit)) g |= 1u << digit;
        }
      }
      TEST_ASSERT_EQUAL_UINT32(geometric[0] - geometric[1], laplace_noise(spec, coins));
      TEST_ASSERT_EQUAL_HEX32(twin->word(), coins->word());
    }
  }
}

void the_law_of_the_tiny_instance_is_certified_digit_by_digit() {
  const LaplaceSpec spec = tiny();
  TEST_ASSERT_EQUAL_UINT32(3, spec.bits);
  // P(g) in Q60 for all eight patterns of three digits, each product rounded down: wrong by less than 2^-59.
  std::uint64_t geometric[8], law[8] = {}, total = 0;
  for (std::uint32_t g = 0; g < 8; ++g) {
    std::uint64_t p = std::uint64_t{1} << 60;
    for (std::uint32_t digit = 0; digit < 3; ++digit) {
      const std::uint64_t t = laplace_digit_threshold(laplace_step_q40(spec), digit);
      p = multiply_high_floor(p, (g >> digit & 1u) != 0 ? t : 0u - t);
    }
    geometric[g] = p;
  }
  // All 64 pairs: the noise on the circle.
  for (std::uint32_t g1 = 0; g1 < 8; ++g1) {
    for (std::uint32_t g2 = 0; g2 < 8; ++g2) {
      const std::uint64_t p = multiply_high_floor(geometric[g1] << 4, geometric[g2]);  // Q60
      law[laplace_report(spec, 0, g1 - g2)] += p;
      total += p;
    }
  }
  TEST_ASSERT_TRUE((std::uint64_t{1} << 60) - total < 200);  // 64 pairs, rounded down
  for (std::uint32_t z = 1; z < 8; ++z) TEST_ASSERT_TRUE(law[z] == law[8 - z]);
  for (std::uint32_t z = 0; z < 4; ++z) TEST_ASSERT_TRUE(law[z] > law[z + 1]);
  // Values lie in {-1, 0, 1}: reports of two of them differ by shifts of at most 2 = 2G, and e^8 = 2980.96.
  for (std::uint32_t z = 0; z < 8; ++z) {
    for (std::uint32_t shift = 1; shift <= 2; ++shift) {
      const std::uint64_t other = law[(z + shift) & 7u];
      TEST_ASSERT_TRUE(law[z] < 2981 * (other + 200) && other < 2981 * (law[z] + 200));
    }
  }
  TEST_ASSERT_TRUE(law[0] > 2900 * law[2]);  // and little of epsilon is lost
}

void a_report_is_the_value_plus_noise_on_the_circle() {
  const LaplaceSpec spec = tiny();
  for (std::int32_t value = -1; value <= 1; ++value) {
    for (std::uint32_t noise = 0; noise < 8; ++noise) {
      const std::uint32_t expected = (static_cast<std::uint32_t>(value) + noise) & 7u;
      TEST_ASSERT_EQUAL_UINT32(expected, laplace_report(spec, value, noise));
      TEST_ASSERT_EQUAL_UINT32(expected, laplace_report(spec, value, noise - 8));  // g1 - g2 below zero
    }
  }
}

void a_value_outside_the_domain_is_clipped() {
  const LaplaceSpec spec = usual();
  for (const std::int32_t value : Integers{64, 65, 100000, 2147483647}) {
    TEST_ASSERT_EQUAL_UINT32(laplace_report(spec, 64, 5), laplace_report(spec, value, 5));
    TEST_ASSERT_EQUAL_UINT32(laplace_report(spec, -64, 5), laplace_report(spec, -value - 1, 5));
  }
}

void words_do_not_depend_on_the_value() {
  const Certified<LaplaceSpec> spec = certified(tiny());
  expect_same_words(8, [&](std::uint32_t i, PrivateCoins& coins) {
    (void)report_of(spec, static_cast<std::int32_t>(i * 0x20000001u), coins);
  });
}

void refusals_are_named_and_leave_the_report_alone() {
  expect_refusals(tiny(), [](const Certified<LaplaceSpec>& spec, PrivateCoins& coins, std::uint32_t& report) {
    return laplace(spec, 1, coins, report);
  });
}

void bad_specs_are_not_certified() {
  expect_epsilon_refusals(LaplaceSpec{.epsilon = 2 * k_epsilon_one, .radius = 64});
  for (const std::uint32_t radius : Numbers{0u, 4097u, ~0u}) {
    LaplaceSpec spec = usual();
    spec.radius = radius;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
    expect_status(Status::bad_channel, derive(spec));
  }
  for (const std::uint32_t bits : Numbers{0u, usual().bits - 1, usual().bits + 1, 25u, ~0u}) {
    LaplaceSpec spec = usual();
    spec.bits = bits;
    expect_certify(Status::bad_channel, spec, k_epsilon_max);
  }
  LaplaceSpec spec = usual();
  spec.epsilon = 16;  // all of it is kept back for rounding
  expect_certify(Status::bad_epsilon, spec, k_epsilon_max);
  spec.epsilon = 17;  // the circle would need more than 24 bits
  expect_certify(Status::bad_channel, spec, k_epsilon_max);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(a_digit_threshold_is_the_largest_that_its_odds_allow);
  RUN_TEST(the_noise_is_made_of_the_digits_drawn);
  RUN_TEST(the_law_of_the_tiny_instance_is_certified_digit_by_digit);
  RUN_TEST(a_report_is_the_value_plus_noise_on_the_circle);
  RUN_TEST(a_value_outside_the_domain_is_clipped);
  RUN_TEST(words_do_not_depend_on_the_value);
  RUN_TEST(refusals_are_named_and_leave_the_report_alone);
  RUN_TEST(bad_specs_are_not_certified);
  return UNITY_END();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The samplers. Uniformity is exact, from the ends of each value's share of the words. Frequencies are compared with their
// law at five standard deviations, fixed seeds: each comparison is wrong with odds below 6e-7 for a right sampler.
#include "sotto/coins/samplers.hpp"

#include <initializer_list>

#include "seeded_entropy.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr std::uint64_t k_range = std::uint64_t{1} << 32;

/// Coins that say one word, and then one that every n accepts (its product with n ends in 2^32 - n).
struct OneWord {
  std::uint32_t first;
  std::uint32_t draws = 0;
  std::uint32_t below(std::uint32_t n) noexcept { return uniform_below(word, this, n); }
  static std::uint32_t word(void* coins) noexcept {
    auto& c = *static_cast<OneWord*>(coins);
    return c.draws++ == 0 ? c.first : 0xffffffffu;
  }
};

bool accepted(std::uint64_t word, std::uint32_t n, std::uint32_t& value) {
  OneWord coins{static_cast<std::uint32_t>(word)};
  value = coins.below(n);
  return coins.draws == 1;
}

void every_value_below_n_has_the_same_number_of_words() {
  for (const std::uint32_t n : {2u, 3u, 5u, 6u, 7u, 12u, 100u, 255u, 1000u}) {
    const std::uint64_t rejected = k_range % n, share = k_range / n;
    for (std::uint32_t r = 0; r < n; ++r) {
      // The words of r are consecutive; those at the beginning of its share may be rejected.
      const std::uint64_t begin = (r * k_range + n - 1) / n, end = ((r + std::uint64_t{1}) * k_range + n - 1) / n;
      std::uint64_t first = begin;
      std::uint32_t value = 0;
      while (!accepted(first, n, value)) ++first;
      TEST_ASSERT_EQUAL_UINT32(r, value);
      TEST_ASSERT_TRUE(accepted(end - 1, n, value));
      TEST_ASSERT_EQUAL_UINT32(r, value);
      TEST_ASSERT_TRUE(first - begin <= 1);
      TEST_ASSERT_EQUAL_HEX64(share, end - first);
    }
    TEST_ASSERT_TRUE(rejected < n);
  }
}

void below_one_draws_nothing() {
  OneWord coins{5};
  TEST_ASSERT_EQUAL_UINT32(0, coins.below(1));
  TEST_ASSERT_EQUAL_UINT32(0, coins.draws);
}

void the_largest_n_is_uniform_too() {
  std::uint32_t value = 0;
  TEST_ASSERT_TRUE(accepted(0, 1u << 31, value));
  TEST_ASSERT_EQUAL_UINT32(0, value);
  TEST_ASSERT_TRUE(accepted(k_range - 1, 1u << 31, value));
  TEST_ASSERT_EQUAL_UINT32((1u << 31) - 1, value);
  TEST_ASSERT_EQUAL_UINT32(2, two_to_32_mod((1u << 31) - 1));
  for (std::uint32_t n = 2; n < 300; ++n) TEST_ASSERT_EQUAL_UINT32(k_range % n, two_to_32_mod(n));
}

void a_two_level_draw_takes_coin_inside_outside_in_this_order() {
  const TwoLevel channel{12, 3, 1u << 31};
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SeededEntropy entropy{seed}, twin_entropy{seed};
    PrivateCoins coins, twin;
    TEST_ASSERT_TRUE(coins.begin_report(entropy.source()) == Status::ok &&
                     twin.begin_report(twin_entropy.source()) == Status::ok);
    const TwoLevelDraw draw = draw_two_level(coins, channel);
    TEST_ASSERT_EQUAL_HEX32(twin.word(), draw.coin);
    TEST_ASSERT_EQUAL_UINT32(twin.below(3), draw.inside);
    TEST_ASSERT_EQUAL_UINT32(twin.below(9), draw.outside);
    TEST_ASSERT_EQUAL_HEX32(draw.coin < channel.threshold ? ~0u : 0u, inside_mask(channel, draw));
    TEST_ASSERT_EQUAL_HEX32(twin.word(), coins.word());
  }
}

void a_64_bit_coin_is_the_comparison_of_its_words() {
  SeededEntropy entropy{6}, twin_entropy{6};
  PrivateCoins coins, twin;
  TEST_ASSERT_TRUE(coins.begin_report(entropy.source()) == Status::ok &&
                   twin.begin_report(twin_entropy.source()) == Status::ok);
  for (std::uint32_t i = 0; i < 300; ++i) {
    const std::uint64_t word = word64(twin);
    // The threshold next to the word itself, on both sides, and some that share only its upper half.
    const std::uint64_t thresholds[] = {word, word + 1,         word - 1, word ^ 1u, word ^ (std::uint64_t{1} << 63),
                                        0,    ~std::uint64_t{0}};
    const std::uint64_t threshold = thresholds[i % 7];
    TEST_ASSERT_EQUAL_UINT32(word < threshold ? 1 : 0, bernoulli64(coins, threshold));
  }
}

void fractions_have_their_odds() {
  SeededEntropy entropy{7};
  PrivateCoins coins;
  TEST_ASSERT_TRUE(coins.begin_report(entropy.source()) == Status::ok);
  const std::uint64_t n = 3 * (std::uint64_t{1} << 40);
  std::uint32_t heads = 0;
  for (int i = 0; i < 3000; ++i) heads += bernoulli_fraction(coins, n / 3, n) ? 1u : 0u;
  TEST_ASSERT_UINT32_WITHIN(129, 1000, heads);  // 5 sqrt(3000/3*2/3)
  TEST_ASSERT_TRUE(bernoulli_fraction(coins, n, n));
  TEST_ASSERT_FALSE(bernoulli_fraction(coins, 0, n));
}

/// e^(-a/b) in Q16, and 5 standard deviations of 4000 coins.
struct ExpCase {
  std::uint32_t a, b, expected, tolerance;
};

void exponential_coins_have_their_odds() {
  // 4000 e^(-a/b), rounded, and 5 sqrt(4000 p (1-p)).
  const ExpCase cases[] = {{0, 1, 4000, 0}, {1, 1, 1472, 153},  {1, 2, 2426, 155},
                           {3, 1, 199, 69}, {1, 100, 3960, 32}, {7, 3, 388, 94}};
  SeededEntropy entropy{8};
  PrivateCoins coins;
  for (const ExpCase& c : cases) {
    TEST_ASSERT_TRUE(coins.begin_report(entropy.source()) == Status::ok);
    std::uint32_t heads = 0;
    for (int i = 0; i < 4000; ++i) heads += bernoulli_exp(coins, c.a, c.b) ? 1u : 0u;
    TEST_ASSERT_UINT32_WITHIN(c.tolerance, c.expected, heads);
  }
}

void discrete_laplace_has_its_law_near_zero() {
  SeededEntropy entropy{9};
  PrivateCoins coins;
  TEST_ASSERT_TRUE(coins.begin_report(entropy.source()) == Status::ok);
  std::uint32_t counts[5] = {};  // -2 .. 2
  for (int i = 0; i < 4000; ++i) {
    const std::int32_t z = discrete_laplace(coins, 2);
    if (z >= -2 && z <= 2) ++counts[z + 2];
  }
  // p(z) = tanh(1/4) e^(-|z|/2): 0.244919, 0.148551, 0.090101.
  TEST_ASSERT_UINT32_WITHIN(136, 980, counts[2]);
  TEST_ASSERT_UINT32_WITHIN(113, 594, counts[1]);
  TEST_ASSERT_UINT32_WITHIN(113, 594, counts[3]);
  TEST_ASSERT_UINT32_WITHIN(91, 360, counts[0]);
  TEST_ASSERT_UINT32_WITHIN(91, 360, counts[4]);
}

void discrete_gaussian_has_its_mean_and_variance() {
  SeededEntropy entropy{10};
  PrivateCoins coins;
  TEST_ASSERT_TRUE(coins.begin_report(entropy.source()) == Status::ok);
  std::int32_t sum = 0, squares = 0;
  for (int i = 0; i < 2000; ++i) {
    const std::int32_t z = discrete_gaussian(coins, 25);
    sum += z;
    squares += z * z;
  }
  TEST_ASSERT_INT32_WITHIN(1118, 0, sum);          // 5 sqrt(2000 * 25)
  TEST_ASSERT_INT32_WITHIN(7906, 50000, squares);  // 5 sqrt(2000 * 2 * 25^2)
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(every_value_below_n_has_the_same_number_of_words);
  RUN_TEST(below_one_draws_nothing);
  RUN_TEST(the_largest_n_is_uniform_too);
  RUN_TEST(a_two_level_draw_takes_coin_inside_outside_in_this_order);
  RUN_TEST(a_64_bit_coin_is_the_comparison_of_its_words);
  RUN_TEST(fractions_have_their_odds);
  RUN_TEST(exponential_coins_have_their_odds);
  RUN_TEST(discrete_laplace_has_its_law_near_zero);
  RUN_TEST(discrete_gaussian_has_its_mean_and_variance);
  return UNITY_END();
}

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include "sampler_script.hpp"
#include "sotto/coins/samplers.hpp"

namespace sotto::exact {
namespace {

// The compiled samplers, led down every path by scripted words. A path's probability is a product of the two kinds of coin that
// the first two tests show to be exactly uniform; test_sampler_laws.cpp adds the paths up.

class SamplerCoins : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_EQ(coins.begin_report({}), Status::ok); }
  void play_path(const SamplerScript& s) { play(s.words()); }
  PrivateCoins coins;
};

TEST_F(SamplerCoins, below_gives_every_result_to_equally_many_words) {
  for (std::uint32_t n = 2; n <= 700; ++n) {
    const std::uint64_t each = (std::uint64_t{1} << 32) / n, rest = (std::uint64_t{1} << 32) % n;
    std::uint64_t rejected = 0;
    for (std::uint32_t r = 0; r < n; ++r) {
      // The words that map to r are [first, last]; the map is monotone, and only the first can be among the rejected.
      const std::uint64_t first = ((std::uint64_t{r} << 32) + n - 1) / n, last = ((std::uint64_t{r + 1} << 32) - 1) / n;
      play({static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(first + 1)});
      ASSERT_EQ(coins.below(n), r);
      const std::uint64_t taken = g_script.used - 1;
      rejected += taken;
      ASSERT_EQ(last - first + 1 - taken, each) << n << " " << r;
      play({static_cast<std::uint32_t>(last)});
      ASSERT_EQ(coins.below(n), r);
      ASSERT_TRUE(played_to_the_end());
    }
    ASSERT_EQ(rejected, rest);
  }
}

TEST_F(SamplerCoins, fraction_is_true_below_a_number_and_rejects_from_n_on) {
  for (const std::uint64_t n : {std::uint64_t{1} << 32, (std::uint64_t{1} << 32) + 1, std::uint64_t{1} << 33,
                                (std::uint64_t{5} << 32) + 3, (std::uint64_t{1} << 52) - 5, ~std::uint64_t{0}}) {
    for (const std::uint64_t a : {std::uint64_t{0}, std::uint64_t{1}, n / 3, n / 2, n - 1, n}) {
      for (const std::uint64_t v :
           {std::uint64_t{0}, a - 1, a, a + 1, (a >> 32) << 32, a | 0xffffffffu, n / 2, n - 1}) {
        if (v >= n) continue;
        SamplerScript s;
        if (n != 0 && (n & (n - 1)) != 0) s.fraction(a, n, n);  // one rejection; powers of two have none
        s.fraction(a, n, v);
        play_path(s);
        ASSERT_EQ(bernoulli_fraction(coins, a, n), v < a) << a << " of " << n << " at " << v;
        ASSERT_TRUE(played_to_the_end()) << a << " of " << n << " at " << v;
      }
    }
  }
  for (const std::uint64_t a : {699u, 700u}) {  // what fits a word takes one
    play({0xffffffffu});
    EXPECT_EQ(bernoulli_fraction(coins, a, 700), a == 700);
    EXPECT_TRUE(played_to_the_end());
  }
  play({});
  EXPECT_TRUE(bernoulli_fraction(coins, 1, 1));
  EXPECT_FALSE(bernoulli_fraction(coins, 0, 1));
  EXPECT_TRUE(played_to_the_end());
}

// Small upper words, all of them: each number below n is met by equally many pairs of words.
TEST_F(SamplerCoins, fraction_gives_every_upper_word_its_share) {
  const std::uint64_t n = (std::uint64_t{5} << 32) + 8;  // upper words 0..5 of 0..7
  for (std::uint32_t edge = 0; edge <= 5; ++edge) {
    const std::uint64_t a = (std::uint64_t{edge} << 32) + 3;
    for (std::uint32_t high = 0; high < 8; ++high) {
      for (const std::uint32_t low : {0u, 2u, 3u, 7u, 8u, 0xffffffffu}) {
        const std::uint64_t v = std::uint64_t{high} << 32 | low;
        const bool both = high == 5 || high == edge, rejected = high > 5 || (both && v >= n);
        SamplerScript script;
        script.word(high);
        if (both) script.word(low);
        if (rejected) {  // then one that is below a
          script.word(edge);
          script.word(2);
        }
        play_path(script);
        ASSERT_EQ(bernoulli_fraction(coins, a, n), rejected || v < a) << edge << " " << high << " " << low;
        ASSERT_TRUE(played_to_the_end());
      }
    }
  }
}

TEST_F(SamplerCoins, threshold_coins_are_true_below_their_threshold) {
  for (const std::uint32_t t : {1u, 2u, 0x7fffffffu, 0x80000000u, 0x80000001u, 0xffffffffu}) {
    TwoLevel channel{};
    channel.threshold = t;
    EXPECT_EQ(inside_mask(channel, {t - 1, 0, 0}), ~0u);
    EXPECT_EQ(inside_mask(channel, {t, 0, 0}), 0u);
  }
  for (const std::uint64_t t : {std::uint64_t{1}, std::uint64_t{1} << 32, (std::uint64_t{1} << 63) - 1,
                                std::uint64_t{1} << 63, (std::uint64_t{1} << 63) + 1, ~std::uint64_t{0}}) {
    for (const std::uint64_t w : {std::uint64_t{0}, t - 1, t, t / 2, ~std::uint64_t{0}}) {
      SamplerScript s;
      s.word64(w);
      play_path(s);
      EXPECT_EQ(bernoulli64(coins, t), w < t ? 1u : 0u);
    }
  }
  play({5, 0, 5, 0});
  EXPECT_EQ(bernoulli64(coins, 0), 0u) << "a threshold of zero is never met";
}

TEST_F(SamplerCoins, exp_fraction_stops_where_its_coins_stop_and_answers_odd) {
  for (std::uint64_t b = 1; b <= 9; ++b) {
    for (std::uint64_t a = 0; a <= b; ++a) {
      for (std::uint32_t stop_at = 1; stop_at <= 32; ++stop_at) {
        if (a == 0 && stop_at > 1) continue;   // a = 0 always fails at once
        if (a == b && stop_at == 1) continue;  // b/b never fails
        SamplerScript s;
        s.exp_fraction(a, b, stop_at);
        play_path(s);
        ASSERT_EQ(bernoulli_exp_fraction(coins, a, b), stop_at % 2 == 1) << a << "/" << b << " stops at " << stop_at;
        ASSERT_TRUE(played_to_the_end());
      }
    }
  }
}

TEST_F(SamplerCoins, exp_fraction_ends_after_thirty_two_successes) {
  SamplerScript s;
  for (std::uint32_t k = 1; k <= 32; ++k) s.fraction(3, 5 * k, 2);
  play_path(s);
  EXPECT_TRUE(bernoulli_exp_fraction(coins, 3, 5));
  EXPECT_TRUE(played_to_the_end());
}

TEST_F(SamplerCoins, inverse_e_is_decided_by_the_first_word_that_differs_from_its_digit) {
  for (std::uint32_t equal = 0; equal < 4; ++equal) {
    for (const bool outcome : {false, true}) {
      SamplerScript s;
      s.unit(outcome, equal);
      play_path(s);
      EXPECT_EQ(bernoulli_inverse_e(coins), outcome) << equal << " equal words";
      EXPECT_TRUE(played_to_the_end());
    }
  }
  SamplerScript all;
  for (const std::uint32_t digit : SamplerScript::k_inverse_e_digits) all.word(digit);
  play_path(all);
  EXPECT_FALSE(bernoulli_inverse_e(coins));
  EXPECT_TRUE(played_to_the_end());
}

TEST_F(SamplerCoins, exp_takes_whole_units_first_then_the_fraction) {
  for (std::uint64_t num = 0; num <= 40; ++num) {
    const std::uint64_t den = 7, units = num / den, rest = num % den;
    SamplerScript yes;
    yes.units(units);
    yes.exp_fraction(rest, den, 1);
    play_path(yes);
    ASSERT_TRUE(bernoulli_exp(coins, num, den));
    ASSERT_TRUE(played_to_the_end());
    if (rest > 0) {
      SamplerScript no;
      no.units(units);
      no.exp_fraction(rest, den, 2);
      play_path(no);
      ASSERT_FALSE(bernoulli_exp(coins, num, den));
      ASSERT_TRUE(played_to_the_end());
    }
    for (std::uint64_t failing = 0; failing < units; ++failing) {
      SamplerScript no;
      no.units(failing);
      no.unit(false);
      play_path(no);
      ASSERT_FALSE(bernoulli_exp(coins, num, den));
      ASSERT_TRUE(played_to_the_end());
    }
  }
}

TEST_F(SamplerCoins, discrete_laplace_joins_its_parts_and_refuses_minus_zero) {
  for (const std::uint32_t scale : {1u, 2u, 3u, 8u, 20u}) {
    const auto reach = static_cast<std::int32_t>(6 * scale);
    for (std::int32_t z = -reach; z <= reach; ++z) {
      SamplerScript s;
      if (scale > 1) {  // a low part that its coin refuses begins anew
        s.below(2 * scale, 2);
        s.exp_fraction(1, scale, 2);
      }
      s.below(2 * scale, 1);  // minus zero begins anew
      s.exp_fraction(0, scale, 1);
      s.unit(false);
      s.laplace(scale, z);
      play_path(s);
      ASSERT_EQ(discrete_laplace(coins, scale), z);
      ASSERT_TRUE(played_to_the_end());
    }
  }
}

TEST_F(SamplerCoins, discrete_laplace_ends_at_its_ceiling) {
  SamplerScript s;
  s.below(2 * 3, 2 * 2);
  s.exp_fraction(2, 3, 1);
  s.units(64);
  play_path(s);
  EXPECT_EQ(discrete_laplace(coins, 3), 2 + 3 * 64);
  EXPECT_TRUE(played_to_the_end());
}

TEST_F(SamplerCoins, discrete_gaussian_accepts_by_the_stated_fraction) {
  for (const std::uint32_t variance : {1u, 2u, 3u, 4u, 10u, 64u, 1000u}) {
    std::uint32_t root = 0;
    while ((root + 1) * (root + 1) <= variance) ++root;
    const std::uint64_t scale = root + 1, den = 2 * variance * scale * scale;
    for (std::int32_t z = -3 * static_cast<std::int32_t>(scale); z <= 3 * static_cast<std::int32_t>(scale); ++z) {
      const std::int64_t distance = std::abs(z) * static_cast<std::int64_t>(scale) - variance;
      const auto num = static_cast<std::uint64_t>(distance * distance);
      SamplerScript s;
      if (num % den > 0) {  // refused once by the fraction itself: its coin is below num, then at num
        s.laplace(static_cast<std::uint32_t>(scale), z);
        s.units(num / den);
        s.exp_fraction(num % den, den, 2);
      }
      s.laplace(static_cast<std::uint32_t>(scale), z);
      s.units(num / den);
      s.exp_fraction(num % den, den, 1);
      play_path(s);
      ASSERT_EQ(discrete_gaussian(coins, variance), z) << "variance " << variance;
      ASSERT_TRUE(played_to_the_end());
    }
  }
}

}  // namespace
}  // namespace sotto::exact

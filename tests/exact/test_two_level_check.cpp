// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/certified.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/sphere_code.hpp"
#include "two_level_oracle.hpp"

namespace sotto::exact {
namespace {

constexpr EpsilonNano k_caps[] = {
    1, 1000, 100'000'000, 500'000'000, 1'000'000'000, 2'000'000'000, 4'000'000'000, 8'000'000'000, 12'000'000'000};

TEST(TwoLevelCheck, never_accepts_what_rationals_refuse_and_refuses_only_within_a_nano_of_the_limit) {
  ChannelSweep sweep{3};
  int accepted = 0;
  constexpr int k_points = 60'000;
  for (int i = 0; i < k_points; ++i) accepted += sweep.expect_agreement() ? 1 : 0;
  EXPECT_GT(accepted, k_points / 5) << "the sweep must try both answers";
  EXPECT_LT(accepted, k_points * 4 / 5);
}

TEST(TwoLevelCheck, a_threshold_valid_for_two_outcomes_is_refused_where_it_would_exceed_the_cap) {
  int refused = 0, accepted = 0;
  for (const EpsilonNano cap : k_caps) {
    std::uint32_t threshold = 0;
    ASSERT_EQ(two_level_threshold(2, 1, cap, threshold), Status::ok);
    ASSERT_EQ(two_level_check({2, 1, threshold}, cap), Status::ok);
    const ExpInterval e = exp_nano(cap);
    const auto judge = [&](std::uint32_t outcomes, std::uint32_t inside) {
      const TwoLevel c{outcomes, inside, threshold};
      const bool ok = two_level_check(c, cap) == Status::ok;
      ASSERT_EQ(ok, proven_within(c, e)) << "M " << outcomes << " k " << inside << " cap " << cap;
      ++(ok ? accepted : refused);
    };
    for (std::uint32_t outcomes = 2; outcomes <= 200; ++outcomes) {
      for (std::uint32_t inside = 1; inside < outcomes; ++inside) judge(outcomes, inside);
    }
    for (std::uint32_t log2 = 8; log2 <= 31; ++log2) {
      const std::uint32_t outcomes = std::uint32_t{1} << log2;
      for (std::uint32_t inside = 1; inside < outcomes; inside += 1 + outcomes / 61) judge(outcomes, inside);
      judge(outcomes, outcomes / 2);
      judge(outcomes, outcomes - 1);
    }
  }
  EXPECT_GT(refused, 100'000);
  EXPECT_GT(accepted, 1000) << "k = M/2 has the ratio of (2, 1) and stays valid";
}

TEST(TwoLevelCheck, certify_refuses_the_same_threshold_for_wider_stems) {
  for (const EpsilonNano cap : k_caps) {
    std::uint32_t threshold = 0;
    ASSERT_EQ(two_level_threshold(2, 1, cap, threshold), Status::ok);
    for (std::uint32_t categories = 3; categories <= k_categories_max; categories += 1 + categories / 3) {
      Certified<GrrSpec> out;
      EXPECT_EQ(certify(GrrSpec{cap, categories, threshold}, cap, out),
                proven_within({categories, 1, threshold}, exp_nano(cap)) ? Status::ok : Status::overspent);
    }
    for (std::uint32_t codewords = 3; codewords <= k_codewords_max; codewords += 1 + codewords / 3) {
      for (std::uint32_t closest = 1; closest < codewords; closest += 1 + codewords / 5) {
        Certified<SphereCodeSpec> out;
        EXPECT_EQ(certify(SphereCodeSpec{cap, 8, codewords, closest, threshold}, cap, out),
                  proven_within({codewords, closest, threshold}, exp_nano(cap)) ? Status::ok : Status::overspent);
      }
    }
  }
}

TEST(TwoLevelThreshold, is_the_largest_that_is_accepted_and_at_most_one_below_the_largest_that_rationals_allow) {
  ChannelSweep sweep{4};
  int derived = 0;
  for (int i = 0; i < 10'000; ++i) {
    const auto [c, epsilon] = sweep.next();
    std::uint32_t t = 0;
    if (two_level_threshold(c.outcomes, c.inside, epsilon, t) != Status::ok) continue;
    ++derived;
    ASSERT_EQ(two_level_check({c.outcomes, c.inside, t}, epsilon), Status::ok);
    if (t < 0xffffffffu) {
      ASSERT_EQ(two_level_check({c.outcomes, c.inside, t + 1}, epsilon), Status::overspent);
    }
    if (t < 0xfffffffeu) {
      ASSERT_TRUE(proven_beyond({c.outcomes, c.inside, t + 2}, exp_nano(epsilon)));
    }
  }
  EXPECT_GT(derived, 5000);
}

TEST(TwoLevelDelivered, is_the_smallest_nano_that_covers_the_ratio) {
  ChannelSweep sweep{5};
  int in_range = 0;
  for (int i = 0; i < 5000; ++i) {
    const TwoLevel c = sweep.next().channel;
    const EpsilonNano delivered = two_level_delivered(c);
    if (delivered > k_epsilon_max) {
      ASSERT_TRUE(proven_beyond(c, exp_nano(k_epsilon_max - 1)));
      continue;
    }
    ++in_range;
    ASSERT_TRUE(proven_within(c, exp_nano(delivered)));
    // One nano less is not enough, up to the rounding of the bound itself.
    if (delivered > 1) {
      ASSERT_TRUE(proven_beyond(c, exp_nano(delivered - 2)));
    }
  }
  EXPECT_GT(in_range, 2000);
}

}  // namespace
}  // namespace sotto::exact

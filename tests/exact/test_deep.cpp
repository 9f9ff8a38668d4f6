// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "certificate.hpp"
#include "laplace_table.hpp"
#include "sotto/exp_bound.hpp"
#include "sotto/randomize/window.hpp"
#include "two_level_oracle.hpp"

namespace sotto::exact {
namespace {

// The sweeps of the default run, wider: minutes instead of seconds.

TEST(Deep, the_check_never_accepts_what_rationals_refuse_over_millions_of_channels) {
  ChannelSweep sweep{6};
  int accepted = 0;
  for (int i = 0; i < 3'000'000; ++i) accepted += sweep.expect_agreement() ? 1 : 0;
  EXPECT_GT(accepted, 600'000);
}

TEST(Deep, the_bound_of_the_exponential_holds_for_a_million_small_exponents) {
  for (std::uint64_t h = 1; h <= 1'000'000; ++h) {
    const ExpInterval e = exp_neg_interval(h, Integer{1} << 40);
    ASSERT_GE(Integer{exp_neg_upper_q64(h)} << (k_fraction_bits - 64), e.high) << h;
  }
}

TEST(Deep, laplace_holds_on_circles_of_many_thousand_steps) {
  for (const EpsilonNano epsilon : k_epsilons) {
    for (const std::uint32_t radius : {16u, 31u, 64u, 100u, 128u}) {
      LaplaceSpec spec{epsilon, radius, 0};
      if (derive(spec) != Status::ok || spec.bits > 13) continue;
      // Only the two ends of the range: the ratio grows with the distance of the inputs.
      const std::vector<Integer> law = circle_law(digit_thresholds(spec));
      ChannelTable ends{Integer{1} << (128 * spec.bits), {law, law}};
      for (std::uint32_t z = 0; z < law.size(); ++z) ends.rows[1][(z + 2 * radius) % law.size()] = law[z];
      EXPECT_TRUE(rows_sum_to_one(ends));
      EXPECT_FALSE(overspends(ends, epsilon)) << epsilon << " radius " << radius;
    }
  }
}

TEST(Deep, every_window_input_is_rounded_with_exactly_its_fraction_of_the_words) {
  const WindowSpec spec{4 * k_epsilon_one, 12, 3, 4'071'263'897u};
  for (std::int32_t x = -32768; x <= 32768; ++x) {
    std::uint64_t sum = 0;
    for (std::uint32_t word = 0; word < 1u << 16; ++word) sum += window_report(spec, x, {word << 16, {0, 0, 0}});
    ASSERT_EQ(sum, static_cast<std::uint64_t>(x + 32768) * 9u) << x;
  }
}

}  // namespace
}  // namespace sotto::exact

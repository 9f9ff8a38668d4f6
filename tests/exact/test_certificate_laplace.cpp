// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <random>

#include "certificate.hpp"
#include "laplace_table.hpp"
#include "sotto/randomize/laplace.hpp"

namespace sotto::exact {
namespace {

std::vector<std::uint32_t> radii(EpsilonNano epsilon) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t radius : {1u, 2u, 3u, 5u, 8u, 12u, 16u}) {
    LaplaceSpec spec{epsilon, radius, 0};
    if (derive(spec) == Status::ok && spec.bits <= 10) out.push_back(radius);
  }
  return out;
}

TEST(LaplaceCertificate, holds_for_every_epsilon_from_the_digit_thresholds_themselves) {
  for (const EpsilonNano epsilon : k_epsilons) {
    ASSERT_FALSE(radii(epsilon).empty());
    for (const std::uint32_t radius : radii(epsilon)) {
      SCOPED_TRACE("epsilon " + std::to_string(epsilon) + " radius " + std::to_string(radius));
      const LaplaceSpec spec = certified(LaplaceSpec{epsilon, radius, 0}).spec();
      const ChannelTable t = laplace_table(spec, digit_thresholds(spec));
      EXPECT_TRUE(rows_sum_to_one(t));
      const Ratio r = largest_ratio(t);
      EXPECT_TRUE(at_most(r.top, r.bottom, exp_nano(epsilon)));
      // What comes round the circle the long way, e^-(N step - 2 epsilon) of the rest, makes the channel spend less than it is
      // charged. That is below 10^-6 up to 4 nats for every radius, and at 8 nats where the radius is a power of two.
      const bool long_way_counts = epsilon > 4 * k_epsilon_one && (radius & (radius - 1)) != 0;
      EXPECT_TRUE(
          above(r.top, r.bottom, exp_nano(long_way_counts ? epsilon - epsilon / 10'000 : tight_bound(epsilon))));
    }
  }
}

TEST(LaplaceCertificate, fails_when_a_digit_is_set_one_part_in_a_million_too_often) {
  for (const EpsilonNano epsilon : {EpsilonNano{1'000'000'000}, EpsilonNano{4'000'000'000}}) {
    const LaplaceSpec spec = certified(LaplaceSpec{epsilon, 4, 0}).spec();
    ASSERT_GE(spec.bits, 6u);
    // The mutation of a digit moves the law at every carry out of it. Digits below 3 come back after the shift of 2G = 8 and change
    // nothing; the top digits carry into almost no mass.
    for (std::uint32_t digit = 3; digit + 2 < spec.bits; ++digit) {
      Thresholds mutated = digit_thresholds(spec);
      mutated[digit] += mutated[digit] >> 20;
      EXPECT_TRUE(overspends(laplace_table(spec, mutated), epsilon)) << "digit " << digit;
    }
  }
}

TEST(LaplaceCertificate, another_number_of_digits_is_refused) {
  for (const EpsilonNano epsilon : k_epsilons) {
    const LaplaceSpec spec = certified(LaplaceSpec{epsilon, 2, 0}).spec();
    for (const std::uint32_t bits : {spec.bits - 1, spec.bits + 1}) {
      Certified<LaplaceSpec> none;
      EXPECT_EQ(certify(LaplaceSpec{epsilon, 2, bits}, k_epsilon_max, none), Status::bad_channel);
    }
  }
}

/// The words of one geometric variable: digit j is set by the largest word below its threshold and cleared by the threshold itself,
/// or by the extremes.
void append_geometric(std::vector<std::uint32_t>& words, const Thresholds& t, std::uint32_t g, bool at_the_edge) {
  for (std::size_t j = 0; j < t.size(); ++j) {
    const bool set = ((g >> j) & 1u) != 0;
    const std::uint64_t w = set ? (at_the_edge ? t[j] - 1 : 0) : (at_the_edge ? t[j] : ~std::uint64_t{0});
    words.push_back(static_cast<std::uint32_t>(w));
    words.push_back(static_cast<std::uint32_t>(w >> 32));
  }
}

TEST(LaplaceCertificate, the_compiled_randomizer_sets_each_digit_exactly_below_its_threshold) {
  PrivateCoins coins;
  ASSERT_EQ(coins.begin_report({}), Status::ok);
  std::mt19937_64 random{7};
  for (const EpsilonNano epsilon : k_epsilons) {
    const auto spec = certified(LaplaceSpec{epsilon, 2, 0});
    const Thresholds t = digit_thresholds(spec.spec());
    const std::uint32_t size = 1u << spec.spec().bits;
    for (int i = 0; i < 4000; ++i) {
      const auto g1 = static_cast<std::uint32_t>(random() % size), g2 = static_cast<std::uint32_t>(random() % size);
      const auto x = static_cast<std::int32_t>(random() % 7) - 3;
      std::vector<std::uint32_t> words;
      append_geometric(words, t, g1, i % 2 == 0);
      append_geometric(words, t, g2, i % 2 == 0);
      play(words);
      std::uint32_t y = ~0u;
      ASSERT_EQ(laplace(spec, x, coins, y), Status::ok);
      ASSERT_TRUE(played_to_the_end());
      ASSERT_EQ(y, (static_cast<std::uint32_t>(std::clamp(x, -2, 2)) + g1 - g2) % size);
    }
  }
}

}  // namespace
}  // namespace sotto::exact

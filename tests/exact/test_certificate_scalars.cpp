// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <map>

#include "certificate.hpp"
#include "sotto/randomize/block.hpp"
#include "sotto/randomize/window.hpp"

namespace sotto::exact {
namespace {

TEST(BlockCertificate, holds_for_every_epsilon_and_radius) {
  for (const EpsilonNano epsilon : k_epsilons) {
    for (const auto& [width, flips] : {std::pair{1u, 0u}, {3u, 1u}, {5u, 2u}, {6u, 2u}, {7u, 1u}, {7u, 6u}}) {
      // 127 of 128 words inside at 8 nats leave the coin 11,345 of 2^32 values for the outside: one of them is 9e-5 of it.
      if (flips == 6 && epsilon > 4 * k_epsilon_one) continue;
      const auto spec = certified(BlockSpec{epsilon, width, flips, 0});
      std::vector<Mixture> inputs;
      for (std::uint32_t x = 0; x < (1u << width) + 1; ++x) {  // the last one has a bit beyond the block
        inputs.push_back({enumerate_compiled(channel(spec.spec()), [&](PrivateCoins& coins) {
          std::uint32_t y = ~0u;
          EXPECT_EQ(block(spec, x, coins, y), Status::ok);
          return y;
        })});
      }
      expect_certificate_and_mutations(spec.spec(), inputs);
    }
  }
}

/// The row of one input of a window: how many of the 2^16 rounding words give which level, counted one by one, and the sides of
/// each of these levels. The low half of the rounding word must not matter.
Mixture window_mixture(const Certified<WindowSpec>& spec, std::int32_t x) {
  const TwoLevel c = channel(spec.spec());
  std::map<std::uint32_t, std::uint64_t>
      words_of_level;  // by a level's first inside outcome, which is the level itself
  std::map<std::uint32_t, std::uint32_t> a_word_of_level;
  for (std::uint32_t word = 0; word < 1u << 16; ++word) {
    const std::uint32_t level = window_report(spec.spec(), x, {word << 16, {0, 0, 0}});
    ++words_of_level[level];
    a_word_of_level[level] = word << 16;
  }
  Mixture mixture;
  PrivateCoins coins;
  EXPECT_EQ(coins.begin_report({}), Status::ok);
  for (const auto& [level, words] : words_of_level) {
    const std::uint32_t round = a_word_of_level[level];
    Sides sides = enumerate(c, [&](std::uint32_t coin, std::uint32_t inside, std::uint32_t outside) {
      std::vector<std::uint32_t> script = two_level_words(c, coin, inside, outside);
      script.insert(script.begin(), round | (coin & 0xffffu));
      play(script);
      std::uint32_t y = ~0u;
      EXPECT_EQ(window(spec, x, coins, y), Status::ok);
      EXPECT_TRUE(played_to_the_end());
      return y;
    });
    sides.share = words;
    mixture.push_back(std::move(sides));
  }
  EXPECT_LE(mixture.size(), 2u) << "a value is rounded to one of its two neighbours";
  return mixture;
}

TEST(WindowCertificate, holds_for_every_epsilon_with_the_rounding_counted_word_by_word) {
  for (const EpsilonNano epsilon : k_epsilons) {
    for (const auto& [outcomes, width] : {std::pair{2u, 1u}, {3u, 1u}, {7u, 2u}, {12u, 3u}, {16u, 2u}, {5u, 4u}}) {
      const auto spec = certified(WindowSpec{epsilon, outcomes, width, 0});
      std::vector<Mixture> inputs;
      for (std::int32_t x = -32768; x <= 32768; x += 5461) inputs.push_back(window_mixture(spec, x));
      for (const std::int32_t x : {-40000, -32768, -32767, -1, 0, 1, 32767, 32768, 2147483647}) {
        inputs.push_back(window_mixture(spec, x));
      }
      expect_certificate_and_mutations(spec.spec(), inputs, std::uint64_t{1} << 16);
    }
  }
}

TEST(WindowCertificate, the_mean_of_the_rounded_level_is_the_value_exactly) {
  const auto spec = certified(WindowSpec{4'000'000'000, 12, 3, 0});
  for (std::int32_t x = -32768; x <= 32768; x += 4099) {
    std::uint64_t weighted = 0;
    for (const Sides& s : window_mixture(spec, x)) weighted += s.share * s.inside.front();
    EXPECT_EQ(weighted, static_cast<std::uint64_t>(x + 32768) * 9u) << "N-1 = 9 steps over 65536 values";
  }
}

}  // namespace
}  // namespace sotto::exact

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The decoder of the question top against its definition, and the tests with which items are confirmed.
#include "sotto/analyzer/aggregate/item_scores.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "sotto/analyzer/math/binomial.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/question/top.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::array<std::uint8_t, 32> k_seed = {1, 2, 3, 4, 5};

ItemRound round_with(std::uint32_t bits) { return {k_seed.data(), 7, GrrSpec{k_epsilon_one, 1u << bits, 1u << 31}}; }

std::vector<NamedNumber> random_reports(std::uint32_t bits, std::size_t count) {
  Xoshiro random(bits, 0);
  std::vector<NamedNumber> out;
  for (std::size_t i = 0; i < count; ++i) out.push_back({random.word(), random.below(1u << bits)});
  return out;
}

TEST(ItemScores, the_support_of_every_child_is_that_of_its_definition) {
  constexpr std::uint32_t k_child_bits = 5;
  const std::vector<std::uint64_t> prefixes = {0, 1, 0x123456789abcd, (std::uint64_t{1} << 59) - 1};
  for (const std::uint32_t bits : {1u, 3u, 8u, 9u, 12u}) {
    const ItemRound round = round_with(bits);
    const std::vector<NamedNumber> reports = random_reports(bits, 45);
    std::size_t called = 0;
    score_children(round, reports, prefixes, k_child_bits, [&](std::size_t p, std::span<const std::int64_t> support) {
      ++called;
      ASSERT_EQ(support.size(), 1u << k_child_bits);
      for (std::uint64_t child = 0; child < support.size(); ++child) {
        std::int64_t expected = 0;
        for (const NamedNumber& one : reports) {
          const bool agrees =
              item_hash(bits, {k_seed.data(), one.pseudonym, 7}, prefixes[p] << k_child_bits | child) == one.number;
          expected += (agrees ? std::int64_t{1} << bits : 0) - 1;
        }
        EXPECT_EQ(support[child], expected) << bits << " bits, prefix " << p << ", child " << child;
      }
    });
    EXPECT_EQ(called, prefixes.size());
  }
}

TEST(ItemScores, agreeing_reports_are_counted_as_devices_hash) {
  const std::vector<std::uint64_t> words = {0, 77, ~std::uint64_t{0}};
  for (const std::uint32_t bits : {1u, 6u, 12u}) {
    const std::vector<NamedNumber> reports = random_reports(bits, 1003);
    const std::vector<std::uint64_t> counts = count_agreeing(round_with(bits), reports, words);
    for (std::size_t k = 0; k < words.size(); ++k) {
      std::uint64_t expected = 0;
      for (const NamedNumber& one : reports)
        expected += item_hash(bits, {k_seed.data(), one.pseudonym, 7}, words[k]) == one.number ? 1 : 0;
      EXPECT_EQ(counts[k], expected);
    }
  }
}

TEST(ItemScores, without_reports_nothing_has_support) {
  const std::vector<std::uint64_t> prefixes = {0};
  score_children(round_with(3), {}, prefixes, 4, [](std::size_t, std::span<const std::int64_t> support) {
    for (const std::int64_t s : support) EXPECT_EQ(s, 0);
  });
  EXPECT_EQ(count_agreeing(round_with(3), {}, prefixes), std::vector<std::uint64_t>{0});
}

TEST(Binomial, the_tail_is_the_sum_of_its_terms_also_far_out) {
  constexpr double k_odds = 1.0 / 64;
  constexpr std::uint64_t k_trials = 500;
  for (const std::uint64_t hits :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{8}, std::uint64_t{30}, std::uint64_t{120}}) {
    double sum = 0;
    for (std::uint64_t k = k_trials + 1; k-- > hits;) {
      const auto x = static_cast<double>(k), n = static_cast<double>(k_trials);
      sum += std::exp(std::lgamma(n + 1) - std::lgamma(x + 1) - std::lgamma(n - x + 1) + x * std::log(k_odds) +
                      (n - x) * std::log1p(-k_odds));
    }
    EXPECT_NEAR(binomial_tail(hits, k_trials, k_odds) / sum, 1, 1e-8) << hits;
  }
  EXPECT_EQ(binomial_tail(501, k_trials, k_odds), 0);
}

TEST(Binomial, holm_stops_at_the_first_test_that_fails) {
  // 0.05/4, 0.05/3, 0.05/2, 0.05: the third smallest fails, so the largest falls with it.
  EXPECT_EQ(holm_rejects(std::array{0.012, 0.03, 0.001, 0.04}, 0.05), (std::vector<bool>{true, false, true, false}));
  EXPECT_EQ(holm_rejects({}, 0.05), std::vector<bool>{});
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The steps of the protocol top on reports of planted items: levels, fragments, and what is confirmed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/question/top.hpp"
#include "src/protocol/category/items.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::array<std::uint8_t, 32> k_seed = {4, 4, 2};
constexpr std::uint32_t k_bits = 6;

ItemRound round_at(std::uint16_t number) {
  GrrSpec spec{4 * k_epsilon_one, 1u << k_bits, 0};
  EXPECT_EQ(derive(spec), Status::ok);
  return {k_seed.data(), number, spec};
}

/// Reports of devices that have words[i mod size], as the channel makes them.
template <class WordOf>
std::vector<NamedNumber> reports_of(const ItemRound& round, std::size_t devices, const WordOf& word_of) {
  Xoshiro random(round.number, 1);
  std::vector<NamedNumber> out;
  for (std::size_t i = 0; i < devices; ++i) {
    const std::uint64_t pseudonym = random.word() | 1;
    const CoinLabel label{k_seed.data(), pseudonym, round.number};
    std::uint32_t y = item_hash(k_bits, label, word_of(label, i));
    if (random.unit() >= round.own()) y = (y + 1 + random.below((1u << k_bits) - 1)) % (1u << k_bits);
    out.push_back({pseudonym, y});
  }
  return out;
}

TEST(TopItems, a_level_keeps_the_prefixes_that_devices_have) {
  const ItemRound round = round_at(2);
  const std::vector<std::uint64_t> words = {0x12345678, 0x1234abcd, 0x99990001};
  const auto reports = reports_of(round, 6000, [&](const CoinLabel&, std::size_t i) { return words[i % 3]; });
  const std::vector<std::uint64_t> prefixes = {0x1234, 0x4242};
  const auto best = best_children(round, reports, prefixes, k_level_bits, k_prefix_cut);
  ASSERT_GE(best.size(), 2u);
  EXPECT_LE(best.size(), 20u);  // of 131,072 words six are this far out by chance
  EXPECT_TRUE((best[0].word == words[0] && best[1].word == words[1]) ||
              (best[0].word == words[1] && best[1].word == words[0]));
}

TEST(TopItems, fragments_are_joined_to_the_strings_that_devices_have) {
  constexpr std::uint32_t k_length = 11;
  const std::vector<std::string> strings = {"radio", "h\xc3\xb6her", "elevenbytes"};
  const ItemRound round = round_at(3);
  const auto bytes = [&](std::size_t i) { return reinterpret_cast<const std::uint8_t*>(strings[i].data()); };
  const auto reports = reports_of(round, 24000, [&](const CoinLabel& label, std::size_t i) {
    const std::uint32_t fragment = item_fragment(label, (k_length + 1) / 2);
    return item_word({k_length, 1, k_string_hash_bits, fragment}, k_seed.data(), bytes(i % 3),
                     static_cast<std::uint32_t>(strings[i % 3].size()));
  });
  std::vector<std::uint64_t> hashes = {0x77777};  // one that nobody has
  for (std::size_t i = 0; i < 3; ++i)
    hashes.push_back(item_word({k_length, 1, k_string_hash_bits, 0}, k_seed.data(), bytes(i),
                               static_cast<std::uint32_t>(strings[i].size())));
  const std::vector<std::string> joined = join_fragments(round, reports, hashes, k_length);
  for (const std::string& s : strings) EXPECT_NE(std::ranges::find(joined, s), joined.end()) << s;
  EXPECT_LE(joined.size(), 4u);
}

TEST(TopItems, what_nobody_has_is_not_confirmed_and_what_many_have_is_with_its_share) {
  const ItemRound round = round_at(4);
  const auto reports =
      reports_of(round, 20000, [](const CoinLabel&, std::size_t i) { return i % 10 == 0 ? 5u : 1000u + i; });
  std::vector<std::uint64_t> keys = {5};
  for (std::uint64_t k = 0; k < 63; ++k) keys.push_back(~k);
  const std::vector<ConfirmedItem> found = confirm_items(round, reports, keys);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].candidate, 0u);
  EXPECT_NEAR(found[0].share, 0.1, 0.01);
  EXPECT_LT(found[0].low, 0.1);
  EXPECT_GT(found[0].high, 0.1);
  EXPECT_LT(found[0].p_value, 1e-20);
}

/// Holm at 5 %: 60 rounds of 64 candidates that nobody has confirm any in three of them on average; ten is a chance of 1e-3.
TEST(TopItems, the_chance_of_a_false_item_is_at_most_five_percent) {
  std::vector<std::uint64_t> keys;
  for (std::uint64_t k = 0; k < 64; ++k) keys.push_back(~k);
  int wrong = 0;
  for (std::uint16_t r = 10; r < 70; ++r) {
    const ItemRound round = round_at(r);
    const auto reports = reports_of(round, 1500, [](const CoinLabel&, std::size_t i) { return i; });
    wrong += confirm_items(round, reports, keys).empty() ? 0 : 1;
  }
  EXPECT_LE(wrong, 9);
}

}  // namespace
}  // namespace sotto::analyzer

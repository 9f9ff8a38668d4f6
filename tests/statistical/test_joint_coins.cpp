// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <array>

#include "joint_chi_square.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/public_coins.hpp"
#include "support/seeded_entropy.hpp"

namespace sotto::joint {
namespace {

constexpr std::size_t k_samples = std::size_t{1} << 18;
const std::vector<double> k_fair_pair = {0.25, 0.25, 0.25, 0.25};

/// Every pair of the 64 bits of each sample.
void test_all_pairs(const std::string& name, const std::vector<std::uint64_t>& samples, Hypotheses& all) {
  BitColumns columns{64};
  for (const std::uint64_t s : samples) columns.add(s);
  for (std::uint32_t i = 0; i < 64; ++i) {
    for (std::uint32_t j = i + 1; j < 64; ++j) {
      all.add(chi_square_p(columns.together(i, columns, j), k_fair_pair), pair_name(name, i, j));
    }
  }
}

/// Pairs (word t, word t + lag) as 64 bits.
std::vector<std::uint64_t> lagged(const std::vector<std::uint32_t>& words, std::size_t lag) {
  std::vector<std::uint64_t> out;
  for (std::size_t t = 0; t + lag < words.size(); ++t) {
    if (begins_pair(t, lag)) out.push_back(words[t] | std::uint64_t{words[t + lag]} << 32);
  }
  return out;
}

/// `each` words of every report.
std::vector<std::uint32_t> private_words(std::uint64_t seed, int each) {
  SeededEntropy entropy{seed};
  PrivateCoins coins;
  std::vector<std::uint32_t> words;
  while (words.size() < k_samples) {
    EXPECT_EQ(coins.begin_report(entropy.source()), Status::ok);
    for (int i = 0; i < each; ++i) words.push_back(coins.word());
  }
  return words;
}

TEST(JointPrivateCoins, all_bits_of_words_are_independent_within_a_block_across_blocks_and_across_reports) {
  Hypotheses all;
  const std::vector<std::uint32_t> long_reports = private_words(2001, 1000), short_reports = private_words(2002, 3);
  for (const std::size_t lag : {1u, 2u, 7u, 8u}) {  // eight words come from one block
    test_all_pairs("long reports, lag " + std::to_string(lag), lagged(long_reports, lag), all);
  }
  for (const std::size_t lag : {1u, 3u, 6u}) {  // lag 3 is the same place in the next report
    test_all_pairs("short reports, lag " + std::to_string(lag), lagged(short_reports, lag), all);
  }
  EXPECT_TRUE(all.hold()) << all.worst();
  EXPECT_EQ(all.count(), 7u * 2016u);
}

TEST(JointPrivateCoins, are_independent_of_the_public_coins_of_the_same_device) {
  constexpr std::array<std::uint8_t, 32> k_study_seed = {1, 2, 3};
  const std::vector<std::uint32_t> secret = private_words(2003, 1);
  Hypotheses all;
  for (const CoinPurpose purpose : {CoinPurpose::masks, CoinPurpose::rotation, CoinPurpose::codewords}) {
    std::vector<std::uint64_t> samples;
    for (std::size_t t = 0; t < secret.size(); ++t) {
      PublicCoins open{{k_study_seed.data(), 1 + t / 16, static_cast<std::uint16_t>(t % 16)}, purpose};
      samples.push_back(open.word() | std::uint64_t{secret[t]} << 32);
    }
    test_all_pairs("purpose " + std::to_string(static_cast<int>(purpose)), samples, all);
  }
  EXPECT_TRUE(all.hold()) << all.worst();
}

TEST(JointPrivateCoins, the_public_coins_of_neighbours_rounds_and_purposes_are_independent_of_each_other) {
  constexpr std::array<std::uint8_t, 32> k_study_seed = {4, 5, 6};
  const auto word = [&](std::uint64_t pseudonym, std::uint16_t round, CoinPurpose purpose) {
    return PublicCoins{{k_study_seed.data(), pseudonym, round}, purpose}.word();
  };
  std::vector<std::uint64_t> neighbours, rounds, purposes;
  for (std::uint64_t t = 2; t <= k_samples / 2; t += 2) {
    const std::uint32_t mine = word(t, 7, CoinPurpose::masks);
    neighbours.push_back(mine | std::uint64_t{word(t + 1, 7, CoinPurpose::masks)} << 32);
    rounds.push_back(mine | std::uint64_t{word(t, 8, CoinPurpose::masks)} << 32);
    purposes.push_back(mine | std::uint64_t{word(t, 7, CoinPurpose::codewords)} << 32);
  }
  Hypotheses all;
  test_all_pairs("neighbours", neighbours, all);
  test_all_pairs("rounds", rounds, all);
  test_all_pairs("purposes", purposes, all);
  EXPECT_TRUE(all.hold()) << all.worst();
}

TEST(JointPrivateCoins, the_test_notices_one_bit_that_repeats_in_one_word_of_sixteen) {
  std::vector<std::uint32_t> words = private_words(2004, 8);
  for (std::size_t t = 1; t < words.size(); t += 16) words[t] = (words[t] & ~(1u << 9)) | (words[t - 1] & 1u) << 9;
  Hypotheses all;
  test_all_pairs("repeating bit", lagged(words, 1), all);
  EXPECT_FALSE(all.hold());
}

}  // namespace
}  // namespace sotto::joint

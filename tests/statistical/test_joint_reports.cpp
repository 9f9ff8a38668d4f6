// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include "joint_chi_square.hpp"
#include "joint_stems.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/spec/grr.hpp"
#include "support/seeded_entropy.hpp"

namespace sotto::joint {
namespace {

constexpr int k_reports = 1 << 16;

double bit_probability(const JointStem& stem, std::uint32_t i) {
  double p = 0;
  for (std::uint32_t y = 0; y < stem.law.size(); ++y) p += ((y >> i) & 1u) != 0 ? stem.law[y] : 0;
  return p;
}

/// The whole report against its exact law, and every pair of its bits against theirs.
void test_within_report(const JointStem& stem, const std::vector<std::uint32_t>& reports, Hypotheses& all) {
  std::vector<std::uint64_t> counts(stem.law.size());
  BitColumns columns{stem.bits};
  for (const std::uint32_t y : reports) {
    ++counts.at(y);
    columns.add(y);
  }
  all.add(chi_square_p(counts, stem.law), stem.name + ", whole report");
  for (std::uint32_t i = 0; i < stem.bits; ++i) {
    for (std::uint32_t j = i + 1; j < stem.bits; ++j) {
      std::vector<double> pair(4);
      for (std::uint32_t y = 0; y < stem.law.size(); ++y) pair[2 * ((y >> i) & 1u) + ((y >> j) & 1u)] += stem.law[y];
      all.add(chi_square_p(columns.together(i, columns, j), pair), pair_name(stem.name, i, j));
    }
  }
}

/// Every bit of a report against every bit of the one `lag` later: the product of their laws. And both reports cut down to four
/// low or four high bits each, as one table of 256 cells.
void test_across_reports(const JointStem& stem, const std::vector<std::uint32_t>& reports, std::size_t lag,
                         Hypotheses& all) {
  const std::string name = stem.name + " at lag " + std::to_string(lag);
  BitColumns first{stem.bits}, second{stem.bits};
  for (std::size_t t = 0; t + lag < reports.size(); ++t) {
    if (!begins_pair(t, lag)) continue;
    first.add(reports[t]);
    second.add(reports[t + lag]);
  }
  for (std::uint32_t i = 0; i < stem.bits; ++i) {
    for (std::uint32_t j = 0; j < stem.bits; ++j) {
      const double p = bit_probability(stem, i), q = bit_probability(stem, j);
      all.add(chi_square_p(first.together(i, second, j), {(1 - p) * (1 - q), (1 - p) * q, p * (1 - q), p * q}),
              pair_name(name, i, j));
    }
  }
  for (const std::uint32_t shift : {0u, stem.bits > 4 ? stem.bits - 4 : 0u}) {
    std::vector<double> part(16);
    for (std::uint32_t y = 0; y < stem.law.size(); ++y) part[(y >> shift) & 15u] += stem.law[y];
    std::vector<double> law;
    for (const double p : part) {
      for (const double q : part) law.push_back(p * q);
    }
    std::vector<std::uint64_t> counts(256);
    for (std::size_t t = 0; t + lag < reports.size(); ++t) {
      if (begins_pair(t, lag)) ++counts[16 * ((reports[t] >> shift) & 15u) + ((reports[t + lag] >> shift) & 15u)];
    }
    all.add(chi_square_p(counts, law), name + ", both reports, shift " + std::to_string(shift));
  }
}

std::vector<std::uint32_t> seeded_reports(const JointStem& stem, std::uint64_t seed) {
  SeededEntropy entropy{seed};
  PrivateCoins coins;
  std::vector<std::uint32_t> reports;
  for (int t = 0; t < k_reports; ++t) {
    EXPECT_EQ(coins.begin_report(entropy.source()), Status::ok);
    reports.push_back(stem.report(coins));
  }
  return reports;
}

TEST(JointReports, each_pair_of_bits_and_each_whole_report_follows_the_exact_law_and_reports_are_independent) {
  Hypotheses within, across;
  for (const JointStem& stem : joint_stems()) {
    double sum = 0;
    for (const double p : stem.law) sum += p;
    ASSERT_NEAR(sum, 1, 1e-12) << stem.name;
    const std::vector<std::uint32_t> reports = seeded_reports(stem, 1001);
    test_within_report(stem, reports, within);
    for (const std::size_t lag : {1u, 2u, 3u}) test_across_reports(stem, reports, lag, across);
  }
  EXPECT_TRUE(within.hold()) << within.worst();
  EXPECT_TRUE(across.hold()) << across.worst();
  EXPECT_GT(within.count(), 100u);
  EXPECT_GT(across.count(), 800u);
}

// The tests above must be able to fail: sources that are broken in ways that no marginal shows.

TEST(JointReports, notice_words_that_two_reports_share) {
  for (const JointStem& stem : joint_stems()) {
    SeededEntropy entropy{1002};
    std::vector<std::uint32_t> reports;
    for (int t = 0; t < k_reports; t += 2) {
      std::uint8_t seed[k_seed_bytes];
      for (std::uint8_t& b : seed) b = entropy.byte();
      for (int twin = 0; twin < 2; ++twin) {  // two generators that begin with the same seed
        ScriptedEntropy same{seed, sizeof seed};
        PrivateCoins coins;
        ASSERT_EQ(coins.begin_report(same.source()), Status::ok);
        reports.push_back(stem.report(coins));
      }
    }
    Hypotheses across;
    test_across_reports(stem, reports, 1, across);
    EXPECT_FALSE(across.hold()) << stem.name;
  }
}

TEST(JointReports, notice_a_coin_that_is_used_twice_in_one_report) {
  GrrSpec spec{2 * k_epsilon_one, 8, 0};
  ASSERT_EQ(derive(spec), Status::ok);
  const TwoLevel c = channel(spec);
  JointStem grr_stem = joint_stems().front();
  ASSERT_EQ(grr_stem.name, "grr");
  SeededEntropy entropy{1003};
  std::vector<std::uint32_t> reports;
  for (int t = 0; t < k_reports; ++t) {
    const std::uint32_t coin = entropy.word();
    reports.push_back(grr_report(c, 5, {coin, 0, static_cast<std::uint32_t>((std::uint64_t{coin} * 7) >> 32)}));
  }
  Hypotheses within;
  test_within_report(grr_stem, reports, within);
  EXPECT_FALSE(within.hold());
}

}  // namespace
}  // namespace sotto::joint

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/sums.hpp"

#include <array>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/aggregate/coin_blocks.hpp"
#include "sotto/analyzer/aggregate/histogram.hpp"
#include "sotto/analyzer/aggregate/walsh_transform.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/masks.hpp"

namespace sotto::analyzer {
namespace {

SumsShape histogram(std::size_t count) { return {Stem::grr, {}, count, 1, true}; }
SumsShape signed_sums(std::size_t count, std::int64_t term_max) { return {Stem::grr, {}, count, term_max, false}; }

TEST(Sums, a_histogram_that_does_not_add_up_to_its_reports_is_implausible) {
  Sums made{signed_sums(3, 1)};
  made.values()[1] = 4;
  made.count_used(5);
  const auto loaded = Sums::load(histogram(3), saved(made));
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, "aggregate.implausible");
  made.values()[2] = 1;
  EXPECT_TRUE(Sums::load(histogram(3), saved(made)).ok());
  made.values()[0] = -1;
  made.values()[2] = 2;
  EXPECT_FALSE(Sums::load(histogram(3), saved(made)).ok());
}

TEST(Sums, a_sum_beyond_what_its_reports_can_add_is_implausible) {
  Sums made{signed_sums(2, 7)};
  made.count_used(3);
  made.values()[0] = -21;
  EXPECT_TRUE(Sums::load(signed_sums(2, 7), saved(made)).ok());
  made.values()[0] = -22;
  EXPECT_FALSE(Sums::load(signed_sums(2, 7), saved(made)).ok());
  made.values()[0] = 22;
  EXPECT_FALSE(Sums::load(signed_sums(2, 7), saved(made)).ok());
}

TEST(Sums, more_reports_than_the_bound_are_not_taken) {
  Sums full{histogram(2)}, one{histogram(2)};
  full.values()[0] = static_cast<std::int64_t>(k_reports_max);
  full.count_used(k_reports_max);
  ASSERT_TRUE(count_report(one, 1));
  const auto merged = full.merge(one);
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().code, "aggregate.full");
  EXPECT_FALSE(count_report(full, 1));
  EXPECT_EQ(full.values()[1], 0);
  EXPECT_EQ(full.refused(), 1u);
  const std::array<std::uint32_t, 3> many = {0, 1, 1};
  EXPECT_EQ(count_reports(full, many), 0u);
  EXPECT_EQ(full.refused(), 4u);
  EXPECT_TRUE(Sums::load(histogram(2), saved(full)).ok());
}

TEST(Sums, refusals_saturate_when_they_are_added) {
  Sums a{histogram(2)}, b{histogram(2)};
  a.count_refused(~std::uint64_t{0} - 1);
  b.count_refused(7);
  ASSERT_TRUE(a.merge(b).ok());
  EXPECT_EQ(a.refused(), ~std::uint64_t{0});
}

TEST(Histogram, many_reports_count_like_one_at_a_time) {
  for (const std::size_t outcomes : {2u, 128u, 2048u, 2049u}) {
    Sums many{histogram(outcomes)}, single{histogram(outcomes)};
    std::vector<std::uint32_t> reports;
    for (std::uint32_t i = 0; i < 20011; ++i)
      reports.push_back((i * i + i / 3) % static_cast<std::uint32_t>(outcomes + outcomes / 2));
    reports.push_back(~std::uint32_t{0});
    const std::uint64_t used = count_reports(many, reports);
    for (const std::uint32_t r : reports) static_cast<void>(count_report(single, r));
    EXPECT_EQ(saved(many), saved(single)) << outcomes;
    EXPECT_EQ(used, single.used());
    EXPECT_GT(single.refused(), 1u);
    EXPECT_EQ(single.used() + single.refused(), reports.size());
  }
}

TEST(WalshTransform, is_the_sum_with_signs_by_parity) {
  std::vector<std::int64_t> x(256);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int64_t>(i * i * 7919 % 1009) - 500;
  std::vector<std::int64_t> y = x;
  walsh_transform_wrap(y);
  for (std::uint32_t j = 0; j < x.size(); ++j) {
    std::int64_t sum = 0;
    for (std::uint32_t i = 0; i < x.size(); ++i) sum += parity(i & j) != 0 ? -x[i] : x[i];
    ASSERT_EQ(y[j], sum) << j;
  }
}

TEST(WalshTransform, twice_gives_the_size_times_the_input_beyond_one_cache) {
  std::vector<std::int64_t> x(std::size_t{1} << 14);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int64_t>(i % 1013) - 500;
  std::vector<std::int64_t> y = x;
  walsh_transform_wrap(y);
  EXPECT_NE(y[1], x[1]);
  walsh_transform_wrap(y);
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], x[i] << 14) << i;
}

TEST(CoinBlocks, give_the_words_that_public_coins_give) {
  std::uint8_t seed[32];
  for (std::uint8_t i = 0; i < 32; ++i) seed[i] = static_cast<std::uint8_t>(7 * i + 3);
  const std::array<std::uint64_t, k_coin_lanes> pseudonyms = {1, 0xfedcba9876543210u, 42, std::uint64_t{1} << 33};
  for (const std::uint32_t number : {0u, 5u}) {
    CoinBlocks blocks;
    coin_blocks(seed, 513, CoinPurpose::codewords, number, pseudonyms, blocks);
    for (std::size_t lane = 0; lane < k_coin_lanes; ++lane) {
      PublicCoins coins{{seed, pseudonyms[lane], 513}, CoinPurpose::codewords};
      coins.seek(64 * number);
      for (const auto& word : blocks.word) ASSERT_EQ(word[lane], coins.word()) << lane;
    }
  }
}

TEST(SpecError, every_status_of_a_check_has_its_own_code) {
  EXPECT_EQ(spec_error(Status::bad_dimension, Stem::grr, "0").code, "spec.bad_dimension");
  EXPECT_EQ(spec_error(Status::bad_channel, Stem::window, "0").code, "spec.bad_channel");
  EXPECT_EQ(spec_error(Status::bad_epsilon, Stem::grr, "0").code, "spec.bad_epsilon");
  EXPECT_EQ(spec_error(Status::overspent, Stem::grr, "0").code, "spec.overspent");
  EXPECT_EQ(spec_error(Status::uncertified_point, Stem::gaussian, "0").code, "spec.uncertified_point");
}

}  // namespace
}  // namespace sotto::analyzer

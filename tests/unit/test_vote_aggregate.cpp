// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/vote.hpp"

#include <array>
#include <cmath>

#include "aggregate_checks.hpp"
#include "sotto/analyzer/propose/vote.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::array<std::uint8_t, 32> k_seed = {9, 8, 7};

CoinLabel label_of(std::uint64_t pseudonym) { return {k_seed.data(), pseudonym, 0}; }
VoteSpec grr_vote() { return derived(VoteSpec{6 * k_epsilon_one, 9, 0, 0, 0}); }
VoteSpec hash_vote() { return derived(VoteSpec{k_epsilon_one, 100, 0, 0, 0}); }

TEST(VoteAggregate, the_two_specs_of_these_tests_use_the_two_oracles) {
  EXPECT_EQ(grr_vote().oracle, static_cast<std::uint32_t>(VoteOracle::grr));
  EXPECT_EQ(hash_vote().oracle, static_cast<std::uint32_t>(VoteOracle::walsh_hash));
}

TEST(VoteAggregate, shares_are_the_counts_of_the_oracle_over_the_reports) {
  auto vote = VoteAggregate::open(grr_vote()).value();
  auto grr = GrrAggregate::open(as_grr(grr_vote())).value();
  for (std::uint32_t i = 0; i < 90; ++i) {
    ASSERT_TRUE(vote.absorb(label_of(i), i * i % 10));
    ASSERT_TRUE(grr.absorb(i * i % 10));
  }
  const VoteShares shares = vote.close();
  const CategoryCounts counts = grr.close();
  ASSERT_EQ(shares.share.size(), 9u);
  for (std::size_t v = 0; v < 9; ++v) {
    EXPECT_DOUBLE_EQ(shares.share[v], counts.count[v] / 90);
    EXPECT_DOUBLE_EQ(shares.standard_error[v], counts.standard_error[v] / 90);
  }
  EXPECT_DOUBLE_EQ(shares.none, counts.count[9] / 90);
  EXPECT_DOUBLE_EQ(shares.none_standard_error, counts.standard_error[9] / 90);
}

TEST(VoteAggregate, the_same_reports_through_the_hash_give_what_the_hash_gives) {
  auto vote = VoteAggregate::open(hash_vote()).value();
  auto hash = WalshHashAggregate::open(as_walsh_hash(hash_vote())).value();
  for (std::uint32_t i = 0; i < 90; ++i) {
    ASSERT_TRUE(vote.absorb(label_of(i), i % 4));
    ASSERT_TRUE(hash.absorb(label_of(i), i % 4));
  }
  EXPECT_DOUBLE_EQ(vote.close().share[57], hash.close().count[57] / 90);
  EXPECT_DOUBLE_EQ(vote.close().none, hash.close().count[100] / 90);
}

TEST(VoteAggregate, many_reports_are_absorbed_like_one_at_a_time) {
  for (const VoteSpec& spec : {grr_vote(), hash_vote()}) {
    auto one = VoteAggregate::open(spec).value(), many = one;
    std::vector<CoinReport> reports;
    for (std::uint32_t i = 0; i < 203; ++i) reports.push_back({i, i * i % 13});
    for (const CoinReport& r : reports) static_cast<void>(one.absorb(label_of(r.pseudonym), r.report));
    EXPECT_GT(one.sums().refused(), 0u);
    EXPECT_EQ(many.absorb(k_seed.data(), 0, reports), one.sums().used());
    EXPECT_EQ(saved(many), saved(one));
  }
}

TEST(VoteAggregate, with_no_report_nothing_is_known) {
  const VoteShares s = VoteAggregate::open(hash_vote()).value().close();
  EXPECT_EQ(s.share[0], 0);
  EXPECT_TRUE(std::isinf(s.standard_error[0]));
  EXPECT_TRUE(std::isinf(s.none_standard_error));
}

TEST(VoteAggregate, order_and_grouping_never_change_the_bytes) {
  for (const VoteSpec& spec : {grr_vote(), hash_vote()}) {
    expect_any_order_gives_the_same_bytes(
        VoteAggregate::open(spec).value(), 300,
        [](VoteAggregate& a, std::uint32_t i) { static_cast<void>(a.absorb(label_of(i), i * i % 11)); });
  }
}

TEST(VoteAggregate, its_bytes_come_back_and_nothing_else_is_taken_for_them) {
  auto a = VoteAggregate::open(grr_vote()).value();
  for (std::uint32_t i = 0; i < 50; ++i) static_cast<void>(a.absorb(label_of(i), i % 12));
  expect_total_loading(grr_vote(), a);
  auto b = VoteAggregate::open(derived(VoteSpec{k_epsilon_one / 2, 10, 0, 0, 0})).value();
  for (std::uint32_t i = 0; i < 50; ++i) static_cast<void>(b.absorb(label_of(i), i % 3));
  expect_total_loading(b.spec(), b);
}

TEST(VoteAggregate, another_spec_is_refused_also_with_the_other_oracle) {
  const auto grr = VoteAggregate::open(grr_vote()).value(), hash = VoteAggregate::open(hash_vote()).value();
  expect_another_spec_is_refused(grr, grr_vote(), hash);
  expect_another_spec_is_refused(hash, hash_vote(), grr);
  VoteSpec other = hash_vote();
  other.features += 1;
  expect_another_spec_is_refused(hash, hash_vote(), VoteAggregate::open(other).value());
}

TEST(VoteAggregate, sums_of_the_bare_oracle_are_not_taken_for_votes) {
  const auto grr = GrrAggregate::open(as_grr(grr_vote())).value();
  expect_refused(VoteAggregate::load(grr_vote(), saved(grr)), "aggregate.other_spec");
}

TEST(VoteAggregate, a_bad_spec_opens_nothing) {
  expect_refused(VoteAggregate::open({k_epsilon_one, 1, 1, 0, 1}), "spec.bad_dimension");
  expect_refused(VoteAggregate::open({k_epsilon_one, 16, 3, 0, 1}), "spec.bad_channel");
  VoteSpec spec = grr_vote();
  spec.threshold += 4096;
  expect_refused(VoteAggregate::open(spec), "spec.overspent");
}

// With "none" there are 257 categories: grr has (257 - 2 + E)/(E - 1)^2.
TEST(ProposeVote, chooses_the_oracle_and_the_bits_with_the_tabled_variance) {
  struct Row {
    double epsilon;
    std::uint32_t bits;  // 0: grr
    double variance;
  };
  for (const Row& row :
       {Row{.5, 1, 16.671}, {1, 2, 3.692}, {2, 3, .7246}, {3, 4, .2253}, {4, 6, .0764}, {6, 0, .004066}}) {
    const auto p = propose_vote(static_cast<EpsilonNano>(row.epsilon * 1e9), 256).value();
    EXPECT_EQ(p.spec.bits, row.bits) << row.epsilon;
    EXPECT_NEAR(p.variance, row.variance, 6e-4 * row.variance) << row.epsilon;
    EXPECT_EQ(p.payload_bits, row.bits == 0 ? 9 : row.bits);
  }
}

TEST(ProposeVote, no_other_number_of_bits_has_less_variance) {
  for (const double epsilon : {.1, .5, 1.0, 2.0, 3.0, 4.0, 6.0, 8.0}) {
    for (const std::uint32_t features : {2u, 15u, 256u, 1024u, 65535u}) {
      const auto nano = static_cast<EpsilonNano>(epsilon * 1e9);
      const auto p = propose_vote(nano, features).value();
      for (std::uint32_t bits = 0; bits <= k_hash_bits_max; ++bits) {
        VoteSpec other{nano, features, bits == 0 ? 1u : 2u, bits, 0};
        const TwoLevel c = channel(other);
        ASSERT_EQ(two_level_threshold(c.outcomes, c.inside, nano, other.threshold), Status::ok);
        // The choice is made in Q8: equal within 1 part in 256 e^epsilon is a tie.
        EXPECT_GE(vote_variance(other), p.variance * (1 - 4e-3)) << epsilon << " " << features << " " << bits;
      }
    }
  }
}

TEST(ProposeVote, refuses_what_no_device_accepts) {
  expect_refused(propose_vote(0, 16), "spec.bad_epsilon");
  expect_refused(propose_vote(13 * k_epsilon_one, 16), "spec.bad_epsilon");
  expect_refused(propose_vote(k_epsilon_one, 1), "spec.bad_dimension");
}

}  // namespace
}  // namespace sotto::analyzer

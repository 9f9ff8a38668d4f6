// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/vote_fleet.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <set>

#include "sotto/analyzer/simulate/summary.hpp"
#include "sotto/analyzer/simulate/vote_metrics.hpp"
#include "sotto/analyzer/simulate/vote_world.hpp"

namespace sotto::analyzer {
namespace {

VoteFleet small_fleet() { return {5000, 40, 2 * k_epsilon_one, 5, 0.2, 3, 1}; }

TEST(VoteWorld, heavy_features_are_distinct_and_in_range_whatever_their_number) {
  for (const std::uint32_t features : {2u, 3u, 40u}) {
    for (std::uint32_t heavy = 1; heavy <= features; ++heavy) {
      const VoteWorld world(9, features, heavy, 0);
      const std::set<std::uint32_t> distinct(world.heavy().begin(), world.heavy().end());
      EXPECT_EQ(distinct.size(), heavy);
      EXPECT_LT(*distinct.rbegin(), features);
    }
  }
}

TEST(VoteWorld, shares_follow_the_stated_weights) {
  const VoteWorld world(4, 100, 3, 0.25);
  constexpr int k_devices = 100'000;
  std::vector<int> votes(101);
  for (int device = 0; device < k_devices; ++device) ++votes[world.answer(static_cast<std::uint64_t>(device))];
  // Weights 6, 5, 4 of the 3/4 that are not empty. Five standard deviations of a share of 100,000 are below 0.008.
  EXPECT_NEAR(votes[100] / double{k_devices}, 0.25, 0.008);
  EXPECT_NEAR(votes[world.heavy()[0]] / double{k_devices}, 0.75 * 6 / 15, 0.008);
  EXPECT_NEAR(votes[world.heavy()[1]] / double{k_devices}, 0.75 * 5 / 15, 0.008);
  EXPECT_NEAR(votes[world.heavy()[2]] / double{k_devices}, 0.75 * 4 / 15, 0.008);
}

TEST(VoteFleet, the_number_of_threads_changes_nothing) {
  VoteFleet fleet = small_fleet();
  const VoteRun one = run_vote_fleet(fleet, {}).value();
  fleet.threads = 4;
  const VoteRun four = run_vote_fleet(fleet, [](std::uint64_t) {}).value();
  EXPECT_EQ(one.truth, four.truth);
  EXPECT_EQ(one.estimate.share, four.estimate.share);
  EXPECT_EQ(one.estimate.none, four.estimate.none);
}

TEST(VoteFleet, every_device_is_counted_once) {
  for (const std::uint64_t users : {1u, 2047u, 2048u, 2049u}) {
    VoteFleet fleet = small_fleet();
    fleet.users = users;
    fleet.threads = 3;
    const VoteRun run = run_vote_fleet(fleet, {}).value();
    EXPECT_EQ(std::accumulate(run.truth.begin(), run.truth.end(), std::uint64_t{0}), users);
    EXPECT_EQ(run.estimate.used, users);
    EXPECT_EQ(run.estimate.refused, 0u);
  }
}

TEST(VoteFleet, a_report_is_the_pseudonym_and_as_many_bytes_as_the_payload_needs) {
  VoteSpec spec{2 * k_epsilon_one, 1000, 0, 0, 0};
  ASSERT_EQ(derive(spec), Status::ok);
  EXPECT_EQ(vote_report_bytes(spec, {0x0102, 0, 5}), (std::vector<std::uint8_t>{2, 1, 0, 0, 0, 0, 0, 0, 5}));
  spec = {12 * k_epsilon_one, 1000, 0, 0, 0};
  ASSERT_EQ(derive(spec), Status::ok);
  EXPECT_EQ(vote_report_bytes(spec, {1, 0, 0x0203}).size(), 10u);
}

TEST(VoteMetrics, the_truth_itself_has_no_error_and_is_found) {
  VoteRun run;
  run.heavy = {2, 0};
  run.truth = {30, 0, 60, 0, 10};
  run.estimate = {{0.3, 0, 0.6, 0}, {0.01, 0.01, 0.01, 0.01}, 0.1, 0.01, 100, 0};
  const VoteMetrics m = measure(run);
  EXPECT_EQ(m.l2_squared_error, 0);
  EXPECT_EQ(m.f1, 1);
  EXPECT_EQ(m.coverage, 1);
  EXPECT_EQ(m.verdict, Verdict::learned);
}

TEST(VoteMetrics, a_wrong_estimate_is_measured_as_such) {
  VoteRun run;
  run.heavy = {2, 0};
  run.truth = {30, 0, 60, 0, 10};
  run.estimate = {{0.0, 0.3, 0.6, 0}, {0.01, 0.01, 0.01, 0.01}, 0.1, 0.01, 100, 0};
  const VoteMetrics m = measure(run);
  EXPECT_NEAR(m.l2_squared_error, 0.18, 1e-12);
  EXPECT_EQ(m.f1, 0.5);
  EXPECT_EQ(m.coverage, 0.6);
}

TEST(VoteMetrics, the_verdict_follows_the_detection_limit) {
  VoteShares shares{std::vector<double>(100, 0.0), std::vector<double>(100, 0.01), 0, 0.01, 1, 0};
  const double limit = detection_limit(shares);
  EXPECT_NEAR(limit, 0.01 * (std::sqrt(2 * std::log(100.0)) + 1.5), 1e-12);
  EXPECT_EQ(judge(shares, 2), Verdict::cannot_learn);
  shares.share[7] = limit;
  EXPECT_EQ(judge(shares, 2), Verdict::uncertain);
  EXPECT_EQ(judge(shares, 1), Verdict::learned);
  shares.share[8] = limit * 0.999;
  EXPECT_EQ(judge(shares, 2), Verdict::uncertain);
  shares.share[8] = limit;
  EXPECT_EQ(judge(shares, 2), Verdict::learned);
}

TEST(VoteMetrics, repeats_that_disagree_are_uncertain) {
  using enum Verdict;
  EXPECT_EQ(judge_all({learned, learned}), learned);
  EXPECT_EQ(judge_all({cannot_learn}), cannot_learn);
  EXPECT_EQ(judge_all({learned, cannot_learn}), uncertain);
}

TEST(VoteMetrics, learned_is_seldom_said_of_a_fleet_that_found_less_than_half) {
  int runs = 0, said = 0, wrong = 0;
  for (const std::uint64_t users : {200u, 500u, 1000u, 2000u, 5000u}) {
    for (const std::uint32_t features : {16u, 256u, 1024u}) {
      for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        const VoteMetrics m =
            measure(run_vote_fleet({users, features, 2 * k_epsilon_one, 4, 0.5, seed, 1}, {}).value());
        ++runs;
        said += m.verdict == Verdict::learned;
        wrong += m.verdict == Verdict::learned && m.f1 < 0.5;
      }
    }
  }
  EXPECT_GT(said, runs / 4);
  EXPECT_LE(wrong, runs / 20);
}

TEST(Summary, mean_sd_and_median) {
  const double values[] = {4, 1, 7};
  const Summary s = summarize(values);
  EXPECT_DOUBLE_EQ(s.mean, 4);
  EXPECT_DOUBLE_EQ(s.sd, 3);
  EXPECT_DOUBLE_EQ(s.median, 4);
  const double one[] = {5};
  EXPECT_EQ(summarize(one).sd, 0);
  const double even[] = {1, 2, 10, 20};
  EXPECT_EQ(summarize(even).median, 6);
}

}  // namespace
}  // namespace sotto::analyzer

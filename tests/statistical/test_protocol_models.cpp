// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include "protocol_sweep.hpp"

// Whole studies, from the devices' own sessions to the model. Bounds are what docs/protocols promises, and an allowance for
// chance in so few runs: four standard errors of the mean as they were measured over other seeds, so that a right rule fails one
// of these with a chance below 1e-3 (errors are skewed; normal ones would give 3e-5).
namespace sotto::analyzer {
namespace {

constexpr double k_errors_allowed = 4;

TEST(Cascade, reaches_its_error_at_four_nats) {
  const SweepResult found = sweep({.world = usual_world(), .epsilon = 4, .first_seed = 1, .seeds = 20});
  // One run's error has a standard deviation of 0.026.
  EXPECT_LT(found.mean_error(), 0.042 + k_errors_allowed * 0.026 / std::sqrt(20));
  EXPECT_GT(found.mean_f1(), 0.92 - k_errors_allowed * 0.06 / std::sqrt(20));
  EXPECT_EQ(found.misled, 0);
  // Some 150 intervals of 95 %: binomial, four deviations of 1.8 points.
  EXPECT_GT(found.intervals, 100);
  EXPECT_GT(found.coverage(), 0.95 - 4 * std::sqrt(0.95 * 0.05 / found.intervals));
}

TEST(Cascade, reaches_its_error_at_eight_nats) {
  const SweepResult found = sweep({.world = usual_world(), .epsilon = 8, .first_seed = 41, .seeds = 12});
  EXPECT_LT(found.mean_error(), 0.0015 + k_errors_allowed * 0.0008 / std::sqrt(12));
  EXPECT_GT(found.mean_f1(), 0.96);
  EXPECT_GE(found.learned, 11);
}

// No verdict was "learned" in 120 runs of other seeds; a rule that says so in one of a hundred shows three of twenty with a
// chance of 0.001. There 85 % of the models are empty: fewer than ten of twenty with a chance of 5e-5.
TEST(Cascade, claims_nothing_where_there_is_nothing) {
  SweepCase nothing{.world = usual_world(), .epsilon = 4, .first_seed = 61, .seeds = 20};
  nothing.world.signal.value = 0;
  nothing.assumed.norm = 0.7;
  const SweepResult found = sweep(nothing);
  EXPECT_LE(found.learned, 2);
  EXPECT_GE(found.empty, 10);
  EXPECT_LT(found.mean_error(), 0.005);
}

TEST(Cascade, claims_nothing_where_no_device_has_data) {
  SweepCase nothing{.world = usual_world(), .epsilon = 4, .first_seed = 81, .seeds = 6};
  nothing.world.empty = 1;
  const SweepResult found = sweep(nothing);
  EXPECT_EQ(found.empty, found.runs);
}

TEST(SparseMean, finds_the_largest_means) {
  SweepCase means{.world = usual_world(), .epsilon = 4, .choice = {"sparse-mean", false}, .first_seed = 91, .seeds = 8};
  means.world.task = Task::mean;
  const SweepResult found = sweep(means);
  // Mean 0.0125 over 20 other seeds, one run's standard deviation 0.021.
  EXPECT_LT(found.mean_error(), 0.0125 + k_errors_allowed * 0.021 / std::sqrt(8));
  EXPECT_GT(found.mean_f1(), 0.85);
}

TEST(Boost, learns_correlated_features_from_few_rows) {
  SweepCase rows{.world = usual_world(), .epsilon = 8, .first_seed = 101, .seeds = 6};
  rows.world.devices = 1000;
  rows.world.samples_low = rows.world.samples_high = 20;
  rows.world.features = 128;
  rows.world.design = Design::correlated;
  const SweepResult found = sweep(rows);
  // The zero model's error is 0.32; mean 0.066 and standard deviation 0.025 over 40 other seeds.
  EXPECT_LT(found.mean_error(), 0.066 + k_errors_allowed * 0.025 / std::sqrt(6));
  EXPECT_GT(found.mean_f1(), 0.75);
  EXPECT_EQ(found.misled, 0);
}

TEST(Boost, has_intervals_where_rows_allow_least_squares_on_all_that_stands_out) {
  SweepCase rows{.world = usual_world(), .epsilon = 8, .choice = {"boost", false}, .first_seed = 121, .seeds = 10};
  rows.world.devices = 800;
  rows.world.samples_low = rows.world.samples_high = 40;
  rows.world.features = 64;
  rows.world.design = Design::correlated;
  const SweepResult many = sweep(rows);
  EXPECT_GT(many.intervals, 60);
  EXPECT_GT(many.coverage(), 0.95 - 4 * std::sqrt(0.95 * 0.05 / many.intervals));
  // Twenty rows are too few.
  rows.world.samples_low = rows.world.samples_high = 20;
  rows.world.signal.value = 0.4;
  rows.seeds = 2;
  EXPECT_EQ(sweep(rows).intervals, 0);
}

}  // namespace
}  // namespace sotto::analyzer

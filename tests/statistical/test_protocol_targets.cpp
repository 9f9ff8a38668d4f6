// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cstdio>

#include "protocol_sweep.hpp"

// The tables of docs/protocols (cascade, boost, sparse-mean). A target is missed when the mean lies above it by more than three standard errors: a rule that
// just meets all of them fails one of the ten with a chance of about 1 in 75.
namespace sotto::analyzer {
namespace {

constexpr std::uint64_t k_first_seed = 1000;
constexpr std::uint32_t k_seeds = 60;
constexpr double k_errors_allowed = 3;

void print_row(const std::string& name, const SweepResult& r) {
  std::printf("| %s | %.0f | %.4f +- %.4f | %.3f | %.3f (%.0f) | %.2f | %.0f |\n", name.c_str(), r.runs, r.mean_error(),
              r.standard_error(), r.mean_f1(), r.coverage(), r.intervals, r.learned / r.runs, r.misled);
  std::fflush(stdout);
}

struct Target {
  std::string name;
  double epsilon, error;
  void (*change)(SyntheticSpec&) = [](SyntheticSpec&) {};
};

TEST(Targets, squared_errors_are_met) {
  const auto more_devices = [](SyntheticSpec& w) { w.devices = 2000; };
  const auto more_rows = [](SyntheticSpec& w) { w.samples_low = w.samples_high = 200; };
  const auto more_features = [](SyntheticSpec& w) { w.features = 1024; };
  const auto correlated = [](SyntheticSpec& w) { w.design = Design::correlated; };
  const auto signs = [](SyntheticSpec& w) { w.random_signs = true; };
  const std::vector<Target> targets = {
      {"eps 4", 4, 0.025},
      {"eps 8", 8, 0.0015},
      {"eps 2", 2, 0.23},
      {"n 2000, eps 2", 2, 0.025, more_devices},
      {"n 2000, eps 4", 4, 0.0012, more_devices},
      {"m 200, eps 4", 4, 0.004, more_rows},
      {"d 1024, eps 4", 4, 0.19, more_features},
      {"d 1024, eps 8", 8, 0.010, more_features},
      {"correlated, eps 4", 4, 0.05, correlated},
      {"random signs, eps 4", 4, 0.03, signs},
  };
  SweepResult all;
  for (const Target& target : targets) {
    SweepCase one{.world = usual_world(), .epsilon = target.epsilon, .first_seed = k_first_seed, .seeds = k_seeds};
    target.change(one.world);
    const SweepResult found = sweep(one);
    print_row(target.name, found);
    EXPECT_LT(found.mean_error(), target.error + k_errors_allowed * found.standard_error()) << target.name;
    if (target.name == "eps 4") {
      EXPECT_GT(found.mean_f1(), 0.92 - k_errors_allowed * 0.06 / std::sqrt(k_seeds));
    }
    all += found;
  }
  EXPECT_GE(all.coverage(), 0.93);
  EXPECT_LE(all.misled, 0.05 * all.runs);
}

struct Stress {
  std::string name;
  void (*change)(SweepCase&);
};

const std::vector<Stress> k_stresses = {
    {"s 4", [](SweepCase& c) { c.world.nonzeros = 4; }},
    {"s 20", [](SweepCase& c) { c.world.nonzeros = 20; }},
    {"signal 0.1", [](SweepCase& c) { c.world.signal.value = 0.1; }},
    {"signal 0.4", [](SweepCase& c) { c.world.signal.value = 0.4; }},
    {"m 30", [](SweepCase& c) { c.world.samples_low = c.world.samples_high = 30; }},
    {"m 400", [](SweepCase& c) { c.world.samples_low = c.world.samples_high = 400; }},
    {"student:3",
     [](SweepCase& c) {
       c.world.noise = {Noise::Kind::student, 3};
     }},
    {"m 20:200", [](SweepCase& c) { c.world.samples_low = 20, c.world.samples_high = 200; }},
    {"n 500, a fifth empty", [](SweepCase& c) { c.world.devices = 500, c.world.empty = 0.2; }},
    {"s said to be 4", [](SweepCase& c) { c.assumed.sparsity = 4; }},
    {"s said to be 16", [](SweepCase& c) { c.assumed.sparsity = 16; }},
    {"noise said to be 0.5", [](SweepCase& c) { c.assumed.noise = 0.5; }},
    {"noise said to be 2", [](SweepCase& c) { c.assumed.noise = 2; }},
    {"length said to be 0.35", [](SweepCase& c) { c.assumed.norm = 0.35; }},
    {"length said to be 1.4", [](SweepCase& c) { c.assumed.norm = 1.4; }},
};

TEST(Targets, intervals_and_verdicts_hold_where_the_study_is_wrong) {
  SweepResult all;
  std::uint64_t seed = 2000;
  for (const double epsilon : {4.0, 8.0}) {
    for (const Stress& stress : k_stresses) {
      SweepCase one{.world = usual_world(), .epsilon = epsilon, .first_seed = seed, .seeds = 20};
      stress.change(one);
      const SweepResult found = sweep(one);
      print_row(stress.name + (epsilon == 4 ? ", eps 4" : ", eps 8"), found);
      all += found;
      seed += 100;
    }
  }
  EXPECT_GE(all.coverage(), 0.93);
  EXPECT_LE(all.misled, 0.05 * all.runs);
}

TEST(Targets, nothing_is_learned_from_nothing) {
  SweepResult all;
  std::uint64_t seed = 6000;
  for (const double epsilon : {2.0, 4.0, 8.0}) {
    SweepCase one{.world = usual_world(), .epsilon = epsilon, .first_seed = seed, .seeds = 40};
    one.world.signal.value = 0;
    one.assumed.norm = 0.7;
    const SweepResult found = sweep(one);
    print_row("no signal", found);
    all += found;
    one.world.empty = 1;
    one.first_seed += 50;
    all += sweep(one);
    seed += 100;
  }
  EXPECT_LE(all.learned, 0.05 * all.runs);
}

TEST(Targets, intervals_of_sparse_means_hold) {
  SweepResult all;
  std::uint64_t seed = 8000;
  for (const double epsilon : {2.0, 4.0, 8.0}) {
    SweepCase one{
        .world = usual_world(), .epsilon = epsilon, .choice = {"sparse-mean", false}, .first_seed = seed, .seeds = 20};
    one.world.task = Task::mean;
    const SweepResult found = sweep(one);
    print_row("sparse-mean", found);
    all += found;
    seed += 100;
  }
  // Some 400 intervals: three deviations of their coverage are 3 points.
  EXPECT_GE(all.coverage(), 0.92);
  EXPECT_LE(all.misled, 0.05 * all.runs);
}

TEST(Targets, boost_does_not_mislead) {
  SweepResult all;
  std::uint64_t seed = 7000;
  for (const double epsilon : {2.0, 4.0, 8.0}) {
    for (const auto& [devices, rows] : {std::pair{1000u, 20u}, std::pair{2000u, 30u}}) {
      SweepCase one{.world = usual_world(), .epsilon = epsilon, .first_seed = seed, .seeds = 20};
      one.world.devices = devices;
      one.world.samples_low = one.world.samples_high = rows;
      one.world.features = 128;
      one.world.design = Design::correlated;
      const SweepResult found = sweep(one);
      print_row("boost", found);
      all += found;
      seed += 100;
    }
  }
  EXPECT_GT(all.coverage(), 0.93);
  EXPECT_LE(all.misled, 0.05 * all.runs);
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The stage between devices: effects that are strong enough are found and measured, and neither noise nor wrong offsets
// make a variable. SOTTO_BETWEEN_RUNS is the number of fleets of each kind.
#include <gtest/gtest.h>

#include <cmath>

#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_runs = SOTTO_BETWEEN_RUNS;

struct Tally {
  double found = 0, false_found = 0, covered = 0, intervals = 0;
  int learned = 0;
};

FleetSource fleet_of(double effect, std::uint64_t devices, double misstated) {
  FleetSource source;
  source.with_baselines = false;
  source.synthetic.devices = devices;
  source.synthetic.samples_low = source.synthetic.samples_high = 10;
  source.synthetic.features = 8 + 16;
  source.synthetic.nonzeros = 2;
  source.synthetic.signal = {Signal::Kind::equal, 0.5};
  source.synthetic.levels = {16, effect == 0 ? 0u : 1u, effect, 0.5};
  source.synthetic.misstated_offset = misstated;
  return source;
}

Tally tally(const FleetSource& source, std::uint64_t first_seed) {
  Assumptions assumed;
  assumed.units = RowUnits::centred;
  assumed.between = BetweenDraft{{}, 1, 0.3, 0.6, false};
  ModelSimulation simulation(source, assumed);
  Tally out;
  for (int i = 0; i < k_runs; ++i) {
    SimulationOptions options;
    options.epsilon = 8;
    options.seed = first_seed + static_cast<std::uint64_t>(i);
    const Result<RepeatResult> run = simulation.run({"cascade"}, options);
    if (!run) {
      ADD_FAILURE() << run.error().message();
      return out;
    }
    const LevelMetrics& levels = run.value().levels.value();
    out.found += levels.found_share.value_or(0);
    out.false_found += levels.false_found.value();
    out.covered += levels.covered;
    out.intervals += levels.found;
    out.learned += levels.verdict == Verdict::learned;
  }
  return out;
}

/// More than this of `runs` with a chance of `share` each is rarer than 1 in 1000, by the normal law with a correction.
double most_of(double share) { return share * k_runs + 3.1 * std::sqrt(share * (1 - share) * k_runs) + 1; }

TEST(Between, a_strong_effect_is_found_and_measured) {
  const Tally t = tally(fleet_of(0.55, 1400, 0), 5100);
  EXPECT_GE(t.found, 0.8 * k_runs);
  EXPECT_LE(t.false_found, most_of(0.05));
  EXPECT_GE(t.learned, 0.6 * k_runs);
  EXPECT_LE(t.intervals - t.covered, most_of(0.1));
}

TEST(Between, noise_makes_no_variable) {
  const Tally t = tally(fleet_of(0, 1000, 0), 5200);
  EXPECT_LE(t.false_found, most_of(0.05));
  EXPECT_LE(t.learned, most_of(0.03));
}

TEST(Between, offsets_that_are_off_make_no_variable) {
  const Tally t = tally(fleet_of(0, 1000, 1), 5300);
  EXPECT_LE(t.false_found, most_of(0.05));
  EXPECT_LE(t.learned, most_of(0.03));
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// What a verdict is worth: on data without a signal and under wrong offsets no protocol says "learned", and the intervals
// of the gain hold the gain on further devices.
#include <gtest/gtest.h>

#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace sotto::analyzer {
namespace {

struct Tally {
  int learned = 0, measured = 0, covered = 0, runs = 0;
};

Tally tally(const FleetSource& source, const Assumptions& assumptions, const char* protocol, double epsilon,
            std::uint64_t first_seed, int runs) {
  ModelSimulation simulation(source, assumptions);
  Tally out;
  for (int i = 0; i < runs; ++i) {
    SimulationOptions options;
    options.epsilon = epsilon;
    options.seed = first_seed + static_cast<std::uint64_t>(i);
    const Result<RepeatResult> run = simulation.run({protocol}, options);
    if (!run) {
      ADD_FAILURE() << run.error().message();
      return out;
    }
    const Validation& v = run.value().model.validation;
    ++out.runs;
    out.learned += run.value().model.verdict == Verdict::learned;
    out.measured += v.devices > 0;
    out.covered += v.devices > 0 && v.gain_low <= *run.value().true_gain && *run.value().true_gain <= v.gain_high;
  }
  return out;
}

FleetSource rows_of(double signal, TargetLink link, double misstated) {
  FleetSource source;
  source.synthetic.devices = 5000;
  source.synthetic.samples_low = source.synthetic.samples_high = 1;
  source.synthetic.features = 8;
  source.synthetic.nonzeros = 2;
  source.synthetic.signal = {Signal::Kind::equal, signal};
  source.synthetic.link = link;
  source.synthetic.misstated_offset = misstated;
  return source;
}

// A model of noise alone is measured as worse than the mean, and wrong offsets, which move targets and fits together, do
// not change that. Two of ten for a share of 3 % have a chance of 0.035; three of ten one of 0.003.
TEST(Validation, wrong_offsets_do_not_make_noise_a_model) {
  Assumptions assumed;
  assumed.norm = 1;
  Tally all;
  for (const TargetLink link : {TargetLink::identity, TargetLink::logistic}) {
    const Tally t = tally(rows_of(0, link, 2), assumed, "ldp-iht", 8, 4100, 5);
    all.learned += t.learned;
    all.measured += t.measured;
  }
  EXPECT_LE(all.learned, 2);
  EXPECT_GE(all.measured, 4) << "models that are empty prove nothing";
}

// Eight intervals that hold 95 % each: fewer than six have a chance of 0.006.
TEST(Validation, a_signal_is_measured_and_its_interval_holds_the_true_gain) {
  for (const TargetLink link : {TargetLink::identity, TargetLink::logistic}) {
    const Tally t = tally(rows_of(link == TargetLink::identity ? 0.8 : 1.5, link, 0), {}, "ldp-iht", 8, 4200, 8);
    EXPECT_EQ(t.measured, t.runs);
    EXPECT_GE(t.covered, 6);
    EXPECT_GE(t.learned, 6);
  }
}

TEST(Validation, one_report_of_each_device_is_measured_on_others) {
  FleetSource source;
  source.once = OnceWorldSpec{OnceTask::linear, 8000, 6, 2, 0, 1, false};
  const Tally t = tally(source, {}, "projected-regression", 8, 4300, 4);
  EXPECT_EQ(t.measured, t.runs);
  EXPECT_GE(t.covered, 2);
  EXPECT_GE(t.learned, 3);
}

}  // namespace
}  // namespace sotto::analyzer

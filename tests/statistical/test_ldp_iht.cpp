// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include "protocol_sweep.hpp"
#include "regression_kit.hpp"

// ldp-iht from the study file to the model. Every report comes from a device session with its ledger, sealed, and is judged by the
// collector. Bounds are three times what was measured on other seeds, or far from what a broken part would give.
namespace sotto::analyzer {
namespace {

/// One row of signs a device; three coefficients of 20, together 1 long at most.
SyntheticSpec sign_world(std::uint64_t devices = 4000) {
  SyntheticSpec world;
  world.devices = devices;
  world.features = 20;
  world.nonzeros = 3;
  world.signal = {Signal::Kind::uniform, 1};
  world.noise = {Noise::Kind::uniform, 0.05};
  world.design = Design::rademacher;
  return world;
}

FleetSource source_of(const SyntheticSpec& world) {
  FleetSource source;
  source.synthetic = world;
  return source;
}

SweepResult sweep_of(const SyntheticSpec& world, double epsilon, std::uint32_t seeds, bool paper = false) {
  return sweep({.world = world, .epsilon = epsilon, .choice = {"ldp-iht", paper}, .first_seed = 1000, .seeds = seeds});
}

TEST(LdpIht, signs_are_learned_from_a_few_bits_a_device) {
  const SweepResult found = sweep_of(sign_world(), 4, 6);
  EXPECT_LT(found.mean_error(), 0.002);
  // The tenth of 4,000 devices that measures such a model says "learned" of about half of the fleets, of none wrongly.
  EXPECT_GE(found.learned, 2);
  EXPECT_EQ(found.misled, 0);
  EXPECT_GE(found.coverage(), 0.8);
  EXPECT_EQ(found.intervals, 18);
  // The paper's one bit about all coordinates says less.
  const SweepResult paper = sweep_of(sign_world(), 4, 6, true);
  EXPECT_GT(paper.mean_error(), 5 * found.mean_error());
  EXPECT_LT(paper.mean_error(), 0.5);
}

TEST(LdpIht, links_are_followed) {
  SyntheticSpec world = sign_world();
  world.link = TargetLink::cosine;
  EXPECT_LT(sweep_of(world, 4, 3).mean_error(), 0.02);  // one of these three fleets is off; a median fleet has 2e-7
  world = sign_world(20000);
  world.link = TargetLink::logistic;
  EXPECT_LT(sweep_of(world, 4, 3).mean_error(), 0.05);
}

TEST(LdpIht, numbers_and_several_rows_are_answered_as_directions) {
  SyntheticSpec world = sign_world();
  world.design = Design::independent;
  EXPECT_LT(sweep_of(world, 4, 3).mean_error(), 0.002);
  world.samples_low = world.samples_high = 5;
  world.link = TargetLink::cosine;
  EXPECT_LT(sweep_of(world, 4, 2).mean_error(), 0.002);
  world.link = TargetLink::identity;
  world.design = Design::correlated;
  EXPECT_LT(sweep_of(world, 4, 2).mean_error(), 0.2);
}

TEST(LdpIht, empty_devices_and_lost_ones_cost_little) {
  SyntheticSpec world = sign_world();
  world.empty = 0.2;
  EXPECT_LT(sweep_of(world, 4, 3).mean_error(), 0.02);
  ModelSimulation simulation(source_of(sign_world()), {});
  SimulationOptions options;
  options.epsilon = 4;
  options.dropout = 0.3;
  const RepeatResult run = simulation.run({"ldp-iht", false}, options).value();
  EXPECT_LT(run.truth->l2_squared_error, 0.005);
  EXPECT_LT(run.model.reports_used, 3000u);
}

/// A world whose rows are not what the study declared.
class ChangedWorld final : public FleetData {
 public:
  explicit ChangedWorld(const SyntheticWorld& world) : world_(world) {}
  [[nodiscard]] std::uint64_t devices() const noexcept override { return world_.devices(); }
  [[nodiscard]] std::uint32_t features() const noexcept override { return world_.features(); }
  void read(std::uint64_t device, DeviceRows& out) const override {
    world_.read(device, out);
    // A fifth of the devices hold other numbers than signs, or nothing but zeros and extremes.
    if (device % 5 == 0) {
      for (std::size_t j = 0; j < out.numbers.size(); ++j)
        out.numbers[j] = static_cast<Q15>(device % 10 == 0 ? (j % 3 == 0 ? -32768 : 0) : out.numbers[j] / 3);
    }
  }

 private:
  const SyntheticWorld& world_;
};

TEST(LdpIht, features_that_are_no_signs_are_coerced_and_answered) {
  SyntheticSpec spec = sign_world();
  spec.seed = 1000;
  const SyntheticWorld world(spec);
  const ChangedWorld changed(world);
  RegressionTerms terms = terms_of(spec, "ldp-iht", 4, false);
  terms.signs = true;
  terms.noise = 0.03;
  terms.norm = 1.25;
  RegressionRunOptions options;
  const RegressionRun run = run_regression(study_of(terms).value(), changed, options).value();
  EXPECT_EQ(run.model.reports_used, 4000u);  // silence does not depend on the data
  EXPECT_EQ(run.model.reports_refused, 0u);
  EXPECT_LT(against_truth(run.model, world.truth()).relative_error, 0.5);
  EXPECT_LE(run.model.epsilon_delivered, 4);
  EXPECT_GT(run.model.epsilon_delivered, 3.99);
}

TEST(LdpIht, below_the_threshold_nobody_is_asked) {
  SyntheticSpec world = sign_world(1000);
  world.features = 200;
  ModelSimulation simulation(source_of(world), {});
  SimulationOptions options;
  options.epsilon = 0.5;
  const RepeatResult run = simulation.run({"ldp-iht", false}, options).value();
  EXPECT_EQ(run.record.reports, 0u);
  EXPECT_EQ(run.model.verdict, Verdict::cannot_learn);
  EXPECT_TRUE(run.model.coefficients.empty());
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <cstdio>
#include <string>
#include <vector>

#include "sotto/analyzer/simulate/model_simulation.hpp"
#include "sotto/analyzer/simulate/summary.hpp"

// The tables of docs/protocols/label-iht.md, label-lasso.md and federated-ht.md: means over 20 seeds that nothing was chosen with.
namespace sotto::analyzer {
namespace {

constexpr std::uint64_t k_first_seed = 1000;
constexpr std::uint32_t k_seeds = 20;

struct Target {
  const char *protocol, *way;
  std::uint32_t features;
  double epsilon, delta, error;
  bool declared = true;
  TargetLink link = TargetLink::identity;
};

SyntheticSpec sign_world(std::uint32_t features, TargetLink link) {
  SyntheticSpec world;
  world.devices = 10000;
  world.features = features;
  world.nonzeros = 10;
  world.signal = {Signal::Kind::uniform, 1};
  world.noise = {Noise::Kind::uniform, 0.05};
  world.design = Design::rademacher;
  world.link = link;
  return world;
}

TEST(LabelTargets, relative_errors_are_met_and_intervals_hold) {
  const std::vector<Target> targets = {
      {"label-iht", "one-bit", 1000, 0.5, 0, 0.40},
      {"label-iht", "window", 1000, 0.5, 0, 0.40},
      {"label-iht", "one-bit", 1000, 1, 0, 0.15},
      {"label-iht", "window", 1000, 1, 0, 0.15},
      {"label-iht", "window", 1000, 2, 0, 0.09},
      {"label-iht", "window", 1000, 4, 0, 0.06},
      {"label-iht", "laplace", 1000, 2, 0, 0.09},
      {"label-iht", "gaussian", 1000, 2, 1e-3, 0.30},
      {"label-iht", "gaussian", 1000, 2, 1e-6, 0.45},
      {"label-lasso", "one-bit", 1000, 1, 0, 0.37},
      {"label-iht", "window", 5000, 0.5, 0, 0.55},
      {"label-iht", "auto", 1000, 2, 0, 0.30, false},
      {"label-iht", "auto", 1000, 4, 0, 0.09, false},
      {"label-iht", "window", 1000, 1, 0, 0.18, true, TargetLink::cosine},
  };
  double covered = 0, intervals = 0;
  for (const Target& t : targets) {
    FleetSource source;
    source.synthetic = sign_world(t.features, t.link);
    Assumptions assumed;
    assumed.target_is_normal = t.declared;
    ModelSimulation simulation(source, assumed);
    std::vector<double> errors;
    double own_covered = 0, own_intervals = 0;
    for (std::uint32_t i = 0; i < k_seeds; ++i) {
      SimulationOptions options;
      options.epsilon = t.epsilon;
      options.delta = t.delta;
      options.seed = k_first_seed + i;
      const Result<RepeatResult> run = simulation.run({t.protocol, false, t.way}, options);
      ASSERT_TRUE(run.ok()) << run.error().message();
      errors.push_back(run.value().truth->relative_error);
      own_covered += run.value().truth->covered;
      own_intervals += run.value().truth->intervals;
    }
    const Summary s = summarize(errors);
    const std::string link = t.link == TargetLink::cosine ? ", cosine" : "";
    std::printf("| %s | %s%s%s | %u | %g | %g | %.3f (%.3f) | %.3f (%.0f) |\n", t.protocol, t.way,
                t.declared ? "" : ", wide clip", link.c_str(), t.features, t.epsilon, t.delta, s.mean, s.sd,
                own_covered / std::max(1.0, own_intervals), own_intervals);
    std::fflush(stdout);
    EXPECT_LE(s.mean, t.error) << t.protocol << " " << t.way << " at " << t.epsilon;
    covered += own_covered;
    intervals += own_intervals;
  }
  EXPECT_GE(covered / intervals, 0.94);
}

TEST(FederatedTargets, classes_are_told_apart_nearly_as_well_as_without_privacy) {
  FleetSource source;
  source.synthetic.devices = 2000;
  source.synthetic.samples_low = source.synthetic.samples_high = 50;
  source.synthetic.features = 100;
  source.synthetic.nonzeros = 10;
  source.synthetic.signal = {Signal::Kind::equal, 0.3};
  source.synthetic.link = TargetLink::logistic;
  ModelSimulation simulation(source, {});
  for (const double epsilon : {4.0, 8.0}) {
    std::vector<double> model, limit, chance;
    for (std::uint32_t i = 0; i < k_seeds; ++i) {
      SimulationOptions options;
      options.epsilon = epsilon;
      options.seed = k_first_seed + i;
      const Result<RepeatResult> run = simulation.run({"federated-ht"}, options);
      ASSERT_TRUE(run.ok()) << run.error().message();
      model.push_back(run.value().classes->model);
      limit.push_back(run.value().classes->limit);
      chance.push_back(run.value().classes->chance);
    }
    const double error = summarize(model).mean, best = summarize(limit).mean, worst = summarize(chance).mean;
    std::printf("| synthetic classes, epsilon %g | %.3f | %.3f | %.3f |\n", epsilon, error, best, worst);
    EXPECT_LE(error, (best + worst) / 2);
  }
}

}  // namespace
}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "protocol_sweep.hpp"

// The table of docs/protocols/ldp-iht.md: relative l2 errors, 40 seeds that no rule was chosen on.
namespace sotto::analyzer {
namespace {

constexpr std::uint64_t k_first_seed = 1000;
constexpr std::uint32_t k_seeds = 40;

struct Cell {
  std::uint64_t devices;
  std::uint32_t features, nonzeros;
  double epsilon, most;
  TargetLink link = TargetLink::identity;
  bool paper = false;
};

TEST(LdpIhtTargets, relative_errors_are_met) {
  const Cell cells[] = {{100000, 100, 10, 1, 0.172},
                        {100000, 100, 10, 2, 0.029},
                        {100000, 100, 10, 4, 0.012},
                        {100000, 50, 5, 1, 0.029},
                        {10000, 100, 10, 4, 0.147},
                        {100000, 100, 10, 1, 0.18, TargetLink::cosine},
                        {100000, 100, 10, 2, 0.028, TargetLink::cosine},
                        {100000, 100, 10, 2, 0.45, TargetLink::identity, true}};
  double covered = 0, intervals = 0;
  for (const Cell& cell : cells) {
    FleetSource source;
    source.synthetic.devices = cell.devices;
    source.synthetic.features = cell.features;
    source.synthetic.nonzeros = cell.nonzeros;
    source.synthetic.signal = {Signal::Kind::uniform, 1};
    source.synthetic.noise = {Noise::Kind::uniform, 0.05};
    source.synthetic.design = Design::rademacher;
    source.synthetic.link = cell.link;
    ModelSimulation simulation(source, {});
    std::vector<double> errors;
    double sum = 0, squares = 0, f1 = 0, learned = 0;
    for (std::uint32_t i = 0; i < k_seeds; ++i) {
      SimulationOptions options;
      options.epsilon = cell.epsilon;
      options.seed = k_first_seed + i;
      options.threads = 2;
      const Result<RepeatResult> run = simulation.run({"ldp-iht", cell.paper}, options);
      ASSERT_TRUE(run.ok()) << run.error().message();
      const TruthMetrics& truth = *run.value().truth;
      errors.push_back(truth.relative_error);
      sum += truth.relative_error;
      squares += truth.relative_error * truth.relative_error;
      f1 += truth.f1;
      learned += run.value().model.verdict == Verdict::learned;
      if (cell.paper) continue;
      covered += truth.covered;
      intervals += truth.intervals;
    }
    const double mean = sum / k_seeds;
    std::ranges::sort(errors);
    std::printf("| %llu | %u | %u | %g | %s%s | %.4f +- %.4f | %.4f | %g | %.3f | %.2f |\n",
                static_cast<unsigned long long>(cell.devices), cell.features, cell.nonzeros, cell.epsilon,
                std::string(link_name(cell.link)).c_str(), cell.paper ? ", paper" : "", mean,
                std::sqrt(std::max(0.0, squares / k_seeds - mean * mean) / (k_seeds - 1)), errors[k_seeds / 2],
                cell.most, f1 / k_seeds, learned / k_seeds);
    std::fflush(stdout);
    EXPECT_LE(mean, cell.most);
  }
  std::printf("covered %.3f of %.0f intervals\n", covered / intervals, intervals);
  EXPECT_GE(covered / intervals, 0.92);
}

}  // namespace
}  // namespace sotto::analyzer

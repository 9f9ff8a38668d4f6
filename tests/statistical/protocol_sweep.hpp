// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace sotto::analyzer {

/// A world, what the study says of it, and how often it is drawn anew.
struct SweepCase {
  SyntheticSpec world;
  Assumptions assumed = {};
  double epsilon = 4;
  ProtocolChoice choice = {};
  std::uint64_t first_seed = 1;
  std::uint32_t seeds = 1;
};

/// What the runs of one case came to. Sums, so that cases can be pooled.
struct SweepResult {
  double runs = 0, error = 0, error_squares = 0, f1 = 0;
  double covered = 0, intervals = 0;
  double learned = 0, empty = 0;
  double misled = 0;  ///< verdict "learned" with F1 below 1/2

  [[nodiscard]] double mean_error() const { return error / runs; }
  [[nodiscard]] double standard_error() const {
    const double mean = mean_error();
    return std::sqrt(std::max(0.0, error_squares / runs - mean * mean) / (runs - 1));
  }
  [[nodiscard]] double mean_f1() const { return f1 / runs; }
  [[nodiscard]] double coverage() const { return covered / std::max(1.0, intervals); }

  SweepResult& operator+=(const SweepResult& other) {
    runs += other.runs;
    error += other.error;
    error_squares += other.error_squares;
    f1 += other.f1;
    covered += other.covered;
    intervals += other.intervals;
    learned += other.learned;
    empty += other.empty;
    misled += other.misled;
    return *this;
  }
};

/// n = 400 devices with m = 100 rows, d = 256 features, 8 coefficients of 0.2, noise 1: what targets are stated for.
inline SyntheticSpec usual_world() {
  SyntheticSpec world;
  world.devices = 400;
  world.samples_low = world.samples_high = 100;
  world.features = 256;
  world.nonzeros = 8;
  world.signal.value = 0.2;
  return world;
}

/// Every run is what `sotto simulate` does with the same seed.
inline SweepResult sweep(const SweepCase& one) {
  FleetSource source;
  source.synthetic = one.world;
  ModelSimulation simulation(source, one.assumed);
  SweepResult out;
  for (std::uint32_t i = 0; i < one.seeds; ++i) {
    SimulationOptions options;
    options.epsilon = one.epsilon;
    options.seed = one.first_seed + i;
    const Result<RepeatResult> run = simulation.run(one.choice, options);
    if (!run) throw std::runtime_error(run.error().message());
    const TruthMetrics& truth = *run.value().truth;
    const bool is_learned = run.value().model.verdict == Verdict::learned;
    ++out.runs;
    out.error += truth.l2_squared_error;
    out.error_squares += truth.l2_squared_error * truth.l2_squared_error;
    out.f1 += truth.f1;
    out.covered += truth.covered;
    out.intervals += truth.intervals;
    out.learned += is_learned;
    out.empty += run.value().model.coefficients.empty();
    out.misled += is_learned && truth.f1 < 0.5;
  }
  return out;
}

}  // namespace sotto::analyzer

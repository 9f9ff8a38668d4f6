// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Runs a regression protocol on a simulated fleet from its first round to the finished model, in memory or in a stored
/// run that an interrupted command continues. `sotto simulate` and the statistical tests call it.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"
#include "sotto/analyzer/simulate/run_protocol.hpp"

namespace sotto::analyzer {

struct RegressionRunOptions {
  std::uint64_t seed = 1;                ///< of the study's public coins, the credentials and the devices' entropy
  double dropout = 0;                    ///< share of devices that never send
  std::uint32_t threads = 1;             ///< the result does not depend on it
  std::string directory;                 ///< where the run is stored and continued; empty: it is not stored
  std::string command;                   ///< the command that reproduces this run
  std::function<void(double)> progress;  ///< is told the share of the work that is done
  std::function<bool()> is_stopped;      ///< called from time to time, from any thread; true stops the run
  bool rehearse = false;                 ///< rehearse_protocol() in memory on one thread: for plans
  std::function<void(const Study&, Model&)> complete{};  ///< what is added to the finished model before it is stored
};

/// The result of a simulated run, from the manifest to the model.
struct RegressionRun {
  Model model;
  CompiledStudy compiled;
  RunRecord record;
};

/// Runs the study's protocol with devices that hold `data`. Reports are sealed, checked and counted as a collector
/// does.
/// Refuses  what compile_study(), the protocol, the store and the devices refuse; simulate.other_run: the directory
///          holds a run of another command; simulate.stopped.
[[nodiscard]] Result<RegressionRun> run_regression(const Study& study, const FleetData& data,
                                                   const RegressionRunOptions& options);

/// The error of a model against a truth that only the simulator knows.
struct TruthMetrics {
  double l2_squared_error = 0;
  double relative_error = 0;          ///< of the l2 norm, |b - truth| / |truth|
  double f1 = 0;                      ///< of the support that the model states
  double false_found = 0;             ///< variables that are stated as found, and are zero
  double covered = 0, intervals = 0;  ///< selected coefficients whose 95 % interval holds the truth, and all of them
};
[[nodiscard]] TruthMetrics against_truth(const Model& model, const std::vector<double>& truth);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Simulates a whole study several times: generates data, writes and compiles the study, lets a fleet of device
/// libraries answer, and compares the model with the truth or with held-out users. `sotto simulate` is built on it.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/data/classes.hpp"
#include "sotto/analyzer/data/split.hpp"
#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/simulate/held_out_gain.hpp"
#include "sotto/analyzer/simulate/level_metrics.hpp"
#include "sotto/analyzer/simulate/once_world.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/simulate/study_text.hpp"
#include "sotto/analyzer/simulate/synthetic_world.hpp"
#include "sotto/analyzer/solve/baselines.hpp"

namespace sotto::analyzer {

/// One way to run a study: the protocol and its mechanisms.
struct ProtocolChoice {
  std::string protocol = "auto";
  bool paper = false;
  std::string label = "auto";        ///< for label-iht and label-lasso
  OnceWay way = OnceWay::automatic;  ///< for protocols that collect once
};

/// The source of simulated fleets: synthetic data, or a table whose users are split again in each repeat.
struct FleetSource {
  SyntheticSpec synthetic;            ///< used without a table
  std::string name = "simulated";     ///< of its study
  std::vector<Quantity> quantities;   ///< of its features, `scale` one standard deviation; empty: standard units
  std::optional<Quantity> quantity;   ///< of its target, likewise
  std::optional<OnceWorldSpec> once;  ///< for protocols that collect once
  OnceTerms once_terms;               ///< the terms of their study; the way is that of the choice
  std::optional<Table> table;
  std::string target;  ///< its column
  Transform transform = Transform::none;
  Outliers outliers = Outliers::counted;  ///< when the table's scales are measured
  TargetKind kind =
      TargetKind::number;  ///< of the table's target, whose classes are 0 and 1, and whose counts are logarithms
  TargetLink link = TargetLink::identity;  ///< that the study states
  double test_share = 0.2;                 ///< of the table's users, held out
  bool with_baselines = true;              ///< measure what can be learned without privacy
};

/// What a study assumes. What is left empty is taken from the source, which a simulation knows, and declared as assumed
/// to be public.
struct Assumptions {
  std::optional<std::uint32_t> samples, sparsity;
  std::optional<double> noise, norm;
  std::optional<double> target_deviation;  ///< for labels
  bool target_is_normal = false;
  std::optional<bool> correlated;
  std::uint32_t rounds = 0;          ///< 0: the protocol chooses
  RowUnits units = RowUnits::own;    ///< of protocols whose devices may choose
  std::optional<double> validation;  ///< share of devices that teach nothing
  /// The stage between devices; of a synthetic fleet the columns are its last ones.
  std::optional<BetweenDraft> between;
};

/// The study of a synthetic fleet, except for its privacy parameters and protocol.
[[nodiscard]] StudyDraft draft_study(const SyntheticWorld& world, const Assumptions& assumptions);

/// The result of one repeat.
struct RepeatResult {
  Model model;
  std::string study_text;
  CompiledStudy compiled;
  RunRecord record;
  std::optional<TruthMetrics> truth;  ///< for synthetic data
  /// For protocols that collect once, by the measure of OnceWorld::error_of().
  std::optional<double> l2_error, excess_risk_ratio, function_error;
  html::SimulationFacts facts;      ///< for the page
  std::optional<double> model_mse;  ///< for a table: on held-out users, in standard units of the target
  std::optional<Baselines> baselines;
  std::optional<ClassErrors> classes;   ///< of a logistic target, on rows of held-out or further users
  std::optional<double> device_chance;  ///< classes: share of rows that a device's own larger class tells wrong
  std::optional<double> true_gain;      ///< what validation estimates, on held-out or further devices
  std::optional<LevelMetrics> levels;   ///< of the stage between devices
  std::optional<double> mean_length;  ///< of the held-out rows' mean, in deviations: how far a model without one is off

  /// Drops texts, rounds and coefficients and keeps what summaries need, so that thousands of repeats fit into memory.
  void keep_numbers();
};

struct SimulationOptions {
  double epsilon = 1, delta = 0;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;
  double dropout = 0;
  std::string directory;                 ///< of the run's store; empty: the run is not stored
  std::string command;                   ///< the command that reproduces this run
  std::function<void(double)> progress;  ///< is told the share of the work that is done
  std::function<bool()> is_stopped;      ///< called from time to time, from any thread; true stops the run
  bool rehearse = false;                 ///< for plans: RegressionRunOptions::rehearse, and no gain on further devices
  std::function<void(const Study&, Model&)> complete{};  ///< RegressionRunOptions::complete
};

/// Runs repeats of a simulated study: data, study file, fleet, reports, model, and its error.
class ModelSimulation {
 public:
  ModelSimulation(FleetSource source, Assumptions assumptions)
      : source_(std::move(source)), assumptions_(std::move(assumptions)) {}

  /// The number of devices that will be asked.
  [[nodiscard]] std::uint64_t devices() const;
  /// The study that a run would ask.
  /// Refuses  what read_study() refuses.
  [[nodiscard]] Result<Study> study(const ProtocolChoice& choice, const SimulationOptions& options, std::string& text);
  /// Refuses  what study(), compile_study(), the protocol and the devices refuse.
  [[nodiscard]] Result<RepeatResult> run(const ProtocolChoice& choice, const SimulationOptions& options);

 private:
  /// The data of one seed, kept while several protocols are compared on it.
  struct Prepared {
    std::uint64_t seed = 0;
    std::unique_ptr<FleetData> data;      ///< rows in stated units
    std::unique_ptr<FleetData> own_data;  ///< rows of devices that use their own units, where they differ
    StudyDraft draft;
    std::optional<StandardRows> test;
    std::unique_ptr<FleetData> further, own_further;  ///< the test users of a table as devices, in stated and own units
    std::optional<FileUnits> units;                   ///< of a table whose devices use their own
    std::optional<StandardRows> train;                ///< likewise, for the level of predictions
    std::optional<Baselines> baselines;
    std::optional<ClassErrors> classes;   ///< except for the model's
    double class_share = 0.5;             ///< of the first class among the training rows
    Scaling scaling;                      ///< of a table
    std::vector<std::uint32_t> held_out;  ///< users of a table
  };
  [[nodiscard]] Prepared prepare_synthetic(std::uint64_t seed) const;
  [[nodiscard]] Prepared prepare_once(std::uint64_t seed) const;
  [[nodiscard]] Prepared prepare_table(std::uint64_t seed) const;
  void measure(const RegressionTerms& terms, bool rehearsed, RepeatResult& out) const;
  void tell_truth(const std::vector<double>& truth, double unit, RepeatResult& out) const;
  void compare_errors(const RegressionTerms& terms, RepeatResult& out) const;

  FleetSource source_;
  Assumptions assumptions_;
  std::optional<Prepared> prepared_;
};

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/data/classes.hpp"
#include "sotto/analyzer/data/split.hpp"
#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/simulate/once_world.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/simulate/study_text.hpp"
#include "sotto/analyzer/simulate/synthetic_world.hpp"
#include "sotto/analyzer/solve/baselines.hpp"

namespace sotto::analyzer {

/// One way to run a study: which protocol, with whose mechanisms.
struct ProtocolChoice {
  std::string protocol = "auto";
  bool paper = false;
  std::string label = "auto";        ///< of label-iht and label-lasso
  OnceWay way = OnceWay::automatic;  ///< of protocols that collect once
};

/// A fleet to be simulated again and again: synthetic, or from a file whose users are split anew each time.
struct FleetSource {
  SyntheticSpec synthetic;            ///< used without a table
  std::optional<OnceWorldSpec> once;  ///< of protocols that collect once
  OnceTerms once_terms;               ///< that their study says; the way is the choice's
  std::optional<Table> table;
  std::string target;  ///< its column
  Transform transform = Transform::none;
  TargetLink link = TargetLink::identity;  ///< logistic: the table's target is a class, above its mean or not
  double test_share = 0.2;                 ///< of the table's users, held out
  bool with_baselines = true;              ///< measure what can be learned without privacy
};

/// What a study assumes; what is left open follows from the source (a simulation knows it) and is said to be assumed public.
struct Assumptions {
  std::optional<std::uint32_t> samples, sparsity;
  std::optional<double> noise, norm;
  std::optional<double> target_deviation;  ///< of labels
  bool target_is_normal = false;
  std::optional<bool> correlated;
  std::uint32_t rounds = 0;  ///< 0: the protocol chooses
};

/// What the study of a synthetic fleet says, up to its privacy and its protocol.
[[nodiscard]] StudyDraft draft_study(const SyntheticWorld& world, const Assumptions& assumptions);

/// How one repeat went.
struct RepeatResult {
  Model model;
  std::string study_text;
  CompiledStudy compiled;
  RunRecord record;
  std::optional<TruthMetrics> truth;  ///< synthetic
  /// Of a world that is asked once, by its own measure (OnceWorld::error_of()).
  std::optional<double> l2_error, excess_risk_ratio, function_error;
  std::vector<double> true_curve;   ///< the true function at the points of the model's curve
  std::optional<double> model_mse;  ///< from a table: on held-out users, in standard units of the target
  std::optional<Baselines> baselines;
  std::optional<ClassErrors> classes;  ///< of a logistic target, on rows of held-out or further users

  /// Drops texts, rounds and coefficients, and keeps what summaries are made of: thousands of repeats fit into memory.
  void keep_numbers();
};

struct SimulationOptions {
  double epsilon = 1, delta = 0;
  std::uint64_t seed = 1;
  std::uint32_t threads = 1;
  double dropout = 0;
  std::string directory;                 ///< of the run's store; empty: none
  std::string command;                   ///< that makes this run again
  std::function<void(double)> progress;  ///< hears what share of the work is done
  std::function<bool()> is_stopped;      ///< asked now and then, from any thread
};

/// One repeat of a simulated study: data, study file, fleet, reports, model, and how close it came.
class ModelSimulation {
 public:
  ModelSimulation(FleetSource source, Assumptions assumptions)
      : source_(std::move(source)), assumptions_(std::move(assumptions)) {}

  /// Number of devices that will be asked.
  [[nodiscard]] std::uint64_t devices() const;
  /// Refuses  what read_study(), compile_study(), the protocol and the devices refuse.
  [[nodiscard]] Result<RepeatResult> run(const ProtocolChoice& choice, const SimulationOptions& options);

 private:
  /// Data of one seed, kept while protocols are compared on it.
  struct Prepared {
    std::uint64_t seed = 0;
    std::unique_ptr<FleetData> data;
    StudyDraft draft;
    std::optional<StandardRows> test;
    std::optional<Baselines> baselines;
    std::optional<ClassErrors> classes;  ///< without the model's
    double class_share = 0.5;            ///< of the first class among the training rows
  };
  [[nodiscard]] Prepared prepare_synthetic(std::uint64_t seed) const;
  [[nodiscard]] Prepared prepare_once(std::uint64_t seed) const;
  [[nodiscard]] Prepared prepare_table(std::uint64_t seed) const;

  FleetSource source_;
  Assumptions assumptions_;
  std::optional<Prepared> prepared_;
};

}  // namespace sotto::analyzer

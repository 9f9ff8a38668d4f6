// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A simulation as it is asked for in options: `sotto simulate` and the Python package run it.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/data/table_reader.hpp"
#include "sotto/analyzer/data/words.hpp"
#include "sotto/analyzer/request/effects.hpp"
#include "sotto/analyzer/request/json.hpp"
#include "sotto/analyzer/request/table_options.hpp"
#include "sotto/analyzer/request/watch.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace CLI {
class App;
}

namespace sotto::analyzer::request {

/// The options of `sotto simulate`.
struct SimulateOptions {
  std::vector<std::string> given;  ///< the names of the options that were written
  std::string protocol = "auto", mechanism = "default";
  double epsilon = 0, delta = 0;
  std::string label = "auto";
  std::uint64_t users = 0;
  std::uint32_t dim = 0;
  double empty = 0, dropout = 0;
  std::uint64_t seed = 1;
  std::uint32_t repeat = 1, threads = 1;
  std::uint32_t rounds = 0;
  bool compare = false;
  bool is_stored = false;  ///< the run goes to a directory, and a stopped one is continued there
  // For a vote.
  std::optional<std::uint32_t> heavy;
  // For a synthetic regression.
  std::string samples, signal = "0.2", noise = "1", design = "independent", signs = "positive", link = "identity";
  std::uint32_t nonzeros = 8;
  std::string effects_file;
  std::optional<Effects> effects;  ///< what it holds
  // For protocols that collect one report of each device once.
  std::uint32_t degree = 1;
  // For data from a file.
  TableReader rows;               ///< unless empty: rows in memory, which `data` names
  std::optional<WordRows> words;  ///< likewise, for a question about words
  std::string data, user_column, target, transform = "none", target_kind = "auto";
  TableOptions table;
  bool row_is_device = false;
  double test_share = 0.2;
  // What the study assumes, if it differs from the truth.
  std::optional<std::uint32_t> assume_samples, assume_sparsity;
  std::optional<double> assume_noise, assume_norm, assume_deviation;
  std::string assume_law = "unknown";
  std::optional<bool> assume_correlated;
  // Who centres and scales a device's rows, what the study states wrongly, and who validates.
  std::string units, centre;
  double misstate_offset = 0, misstate_scale = 1;
  std::optional<double> validation;
  // The stage between devices: how many columns, or which ones of a file.
  std::vector<std::string> between;
  std::uint32_t between_nonzeros = 1, between_variables = 0;
  double between_effect = 0.4, between_spread = 0.5, between_explained = 0, between_share = 0.5;
  bool between_insist = false;
  // For everyday questions.
  std::string law = "normal";
  double range_sd = 16, mean = 2, share = 0.02;
  std::vector<std::string> quantile_words;  ///< as they were written
  std::vector<double> quantiles{0.5, 0.9, 0.99};
  std::optional<double> low, high;  ///< that the study states of a file's numbers
  std::uint32_t bins = 0, periods = 1;
  bool tight = false;
  std::uint32_t categories = 16, length = 16;
  double zipf = 1.3, association = 0;
  std::string of = "id64", columns;
};

/// What is to be said about a file: how it was read, and what looks wrong with it.
struct FileNotes {
  std::vector<std::string> notes, warnings;
};

/// All repeats of one protocol variant.
struct ChoiceResults {
  ProtocolChoice choice;
  std::vector<RepeatResult> repeats;
  std::optional<Error> refused;  ///< if set, there are no repeats
};

/// The options of `sotto simulate`, but those of its output.
void add_simulate_options(CLI::App& verb, SimulateOptions& options);
/// What follows from the options that were written for those that were not. Called once they are parsed.
void complete_options(const CLI::App& verb, SimulateOptions& options);
/// Reads options in the words of the command line, complete.
/// Refuses   usage; what read_effects() refuses.
[[nodiscard]] Result<SimulateOptions> read_simulate_words(std::span<const std::string> words);
/// What --effects says takes the place of --dim, --nonzeros, --signal and --signs.
/// Refuses   what read_effects() refuses.
[[nodiscard]] Result<SimulateOptions> with_effects(SimulateOptions options);
/// What is wrong with the options together, with the code `usage`.
[[nodiscard]] std::optional<Error> misused_simulation(const SimulateOptions& options);

/// Whether the protocol collects one report of each device once.
[[nodiscard]] bool collects_once(const SimulateOptions& options);
/// Is it one of the protocols whose devices send labels?
[[nodiscard]] bool asks_labels(std::string_view protocol);
/// Is it an everyday question, such as a number?
[[nodiscard]] bool asks_everyday(const SimulateOptions& options);

/// The simulation of a protocol that learns a model, with its rows read.
/// Refuses   what reading the file and the parameters of the fleet refuse; data.bad_levels; simulate.bad_features.
[[nodiscard]] Result<ModelSimulation> simulation_of(const SimulateOptions& options, FileNotes& notes);
/// The protocol variants that are run: one, or those of its family with --compare.
[[nodiscard]] std::vector<ChoiceResults> choices_of(const SimulateOptions& options);
/// Runs all repeats of all variants. `directory`: of the first run's store; empty: it is not stored. In a comparison a
/// variant that this fleet is too small for is left out, unless all are.
/// Refuses   what ModelSimulation::run() refuses.
[[nodiscard]] Result<Done> run_choices(const SimulateOptions& options, ModelSimulation& simulation,
                                       std::vector<ChoiceResults>& results, const std::string& directory,
                                       const RunWatch& watch);

/// The command line that repeats this run.
[[nodiscard]] std::string command_of(const SimulateOptions& options);
/// The JSON object for scripts: metrics, reports, privacy, timing, verdict.
[[nodiscard]] Json simulation_json(const SimulateOptions& options, const ChoiceResults& results, double seconds);
[[nodiscard]] Json comparison_json(const SimulateOptions& options, const std::vector<ChoiceResults>& results,
                                   double seconds);

/// The seed of repeat r; the first one is the seed given on the command line.
[[nodiscard]] constexpr std::uint64_t repeat_seed(std::uint64_t seed, std::uint32_t r) noexcept {
  return seed + r * 0x9e3779b97f4a7c15u;
}

}  // namespace sotto::analyzer::request

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto simulate`: options that its source files share, and the two kinds of simulation, votes and learned models.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "simulate_effects.hpp"
#include "sotto/analyzer/result.hpp"
#include "table_options.hpp"

namespace sotto::cli {

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
  std::string out;
  std::uint32_t rounds = 0;
  bool compare = false, json = false;
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
  std::uint32_t bins = 0, periods = 1;
  bool tight = false;
  std::uint32_t categories = 16, length = 16;
  double zipf = 1.3, association = 0;
  std::string of = "id64", columns;
};

/// Whether the protocol collects one report of each device once.
[[nodiscard]] bool collects_once(const SimulateOptions& options);
/// Is it one of the protocols whose devices send labels?
[[nodiscard]] bool asks_labels(std::string_view protocol);

/// May results be written there? A directory is a run's own from its first report on, and what others wrote is not
/// replaced.
/// Refuses  simulate.other_run; model.page_in_use: the page there is of a fit. With `goes_on` a store is no obstacle:
///          whether it is of the same command is seen in it.
[[nodiscard]] analyzer::Result<analyzer::Done> may_write_run(const std::filesystem::path& directory, bool goes_on);

/// Returns the exit code.
int simulate_vote(const SimulateOptions& options);
int simulate_model(const SimulateOptions& options);
int simulate_everyday(const SimulateOptions& options);

/// The seed of repeat r; the first one is the seed given on the command line.
[[nodiscard]] constexpr std::uint64_t repeat_seed(std::uint64_t seed, std::uint32_t r) noexcept {
  return seed + r * 0x9e3779b97f4a7c15u;
}

}  // namespace sotto::cli

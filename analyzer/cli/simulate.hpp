// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// What `sotto simulate` was told.
struct SimulateOptions {
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
  // a vote
  std::optional<std::uint32_t> heavy;
  // a synthetic model
  std::string samples, signal = "0.2", noise = "1", design = "independent", signs = "positive", link = "identity";
  std::uint32_t nonzeros = 8;
  // a world that is asked once
  std::uint32_t degree = 1;
  // a file
  std::string data, user_column, target, transform = "none";
  bool row_is_device = false;
  double test_share = 0.2;
  // what the study assumes where it is not the truth
  std::optional<std::uint32_t> assume_samples, assume_sparsity;
  std::optional<double> assume_noise, assume_norm, assume_deviation;
  std::string assume_law = "unknown";
  std::optional<bool> assume_correlated;
};

/// Is it one of the protocols with one report of each device?
[[nodiscard]] bool collects_once(const SimulateOptions& options);
/// Is it one of the protocols whose devices send labels?
[[nodiscard]] bool asks_labels(std::string_view protocol);

/// May results be written there? A directory is a run's own from its first report on, and what others wrote is not replaced.
/// Refuses  simulate.other_run. With `goes_on` a store is no obstacle: whether it is of the same command is seen in it.
[[nodiscard]] analyzer::Result<analyzer::Done> may_write_run(const std::filesystem::path& directory, bool goes_on);

/// Gives the exit code.
int simulate_vote(const SimulateOptions& options);
int simulate_model(const SimulateOptions& options);

/// Repeat r has a seed of its own; the first is the one that was typed.
[[nodiscard]] constexpr std::uint64_t repeat_seed(std::uint64_t seed, std::uint32_t r) noexcept {
  return seed + r * 0x9e3779b97f4a7c15u;
}

}  // namespace sotto::cli

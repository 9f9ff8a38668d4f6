// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A cluster on this machine: brokers, gateways and workers as processes on loopback.

#include <filesystem>
#include <string>
#include <vector>

#include "child_process.hpp"
#include "json.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

struct LocalClusterOptions {
  std::filesystem::path directory;  ///< everything is inside
  std::string study;                ///< directory of the compiled study
  std::string broker = "nats-server", run = "1";
  std::uint32_t nodes = 3, gateways = 2, workers = 2, partitions = 4;
  std::uint64_t partition_megabytes = 256, target = 0, deadline = 0;
};

class LocalCluster {
 public:
  /// Starts all and waits until devices can be asked.
  /// Refuses   fleet.cannot_start; fleet.not_ready: which process, and what it said.
  [[nodiscard]] static analyzer::Result<LocalCluster> start(const LocalClusterOptions& options);
  LocalCluster(LocalCluster&&) = default;
  LocalCluster& operator=(LocalCluster&&) = delete;
  ~LocalCluster() { stop(); }

  /// Gateways first, then workers, then brokers: what was taken is stored before its place goes.
  void stop();
  /// Addresses, processes and files.
  [[nodiscard]] Json facts() const;
  /// The address of a study at a gateway.
  [[nodiscard]] const std::vector<std::string>& gateways() const noexcept { return addresses_; }
  [[nodiscard]] std::filesystem::path token_file() const { return options_.directory / "operator.token"; }
  [[nodiscard]] double processor_seconds() const;
  /// The names of processes that ended by themselves since this was asked last.
  [[nodiscard]] std::vector<std::string> lost();

 private:
  explicit LocalCluster(LocalClusterOptions options) : options_(std::move(options)) {}
  struct Member {
    std::string name, address;
    std::filesystem::path config;
    ChildProcess process;
    bool is_lost = false;
  };
  [[nodiscard]] analyzer::Result<analyzer::Done> begin();
  [[nodiscard]] analyzer::Result<analyzer::Done> start_brokers();
  [[nodiscard]] analyzer::Result<analyzer::Done> start_gateways();
  [[nodiscard]] analyzer::Result<analyzer::Done> start_workers();
  [[nodiscard]] std::string broker_config(std::size_t i, const std::vector<std::uint16_t>& ports) const;
  static void stop(std::vector<Member>& members, std::chrono::seconds wait);

  LocalClusterOptions options_;
  std::string log_, digest_;
  std::vector<Member> brokers_, gateways_, workers_;
  std::vector<std::string> addresses_;
};

}  // namespace sotto::cli

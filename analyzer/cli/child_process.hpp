// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Processes that a verb starts and stops: its own children, and no other.

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// A child that ends with its parent. For one thread.
class ChildProcess {
 public:
  /// Starts a program; its output is appended to `log`. With `hears_stderr` its stderr is read with line().
  /// Refuses   fleet.cannot_start.
  [[nodiscard]] static analyzer::Result<ChildProcess> start(const std::vector<std::string>& command,
                                                            const std::filesystem::path& log,
                                                            bool hears_stderr = false);
  ChildProcess(ChildProcess&& other) noexcept
      : name_(std::move(other.name_)), child_(std::exchange(other.child_, -1)), file_(std::exchange(other.file_, -1)) {}
  ChildProcess& operator=(ChildProcess&&) = delete;
  /// Kills it where it still runs.
  ~ChildProcess();

  [[nodiscard]] pid_t pid() const noexcept { return child_; }
  /// The next line of its stderr; empty at its end, or after the time.
  [[nodiscard]] std::string line(std::chrono::milliseconds wait);
  [[nodiscard]] bool is_running();
  void ask_to_end() const;
  /// Waits until it ended; kills it after the time.
  void end(std::chrono::milliseconds wait);
  /// Processor time that it took so far, in seconds.
  [[nodiscard]] double processor_seconds() const;

 private:
  ChildProcess(std::string name, pid_t child, int file) : name_(std::move(name)), child_(child), file_(file) {}
  std::string name_, heard_;
  pid_t child_;
  int file_;
};

/// Ports of loopback that nobody listens on at this moment.
/// Refuses   fleet.cannot_start.
[[nodiscard]] analyzer::Result<std::vector<std::uint16_t>> free_ports(std::size_t count);
/// Whether somebody listens on this port of loopback.
[[nodiscard]] bool is_listened_on(std::uint16_t port);
/// The program that runs.
[[nodiscard]] std::string own_program();

}  // namespace sotto::cli

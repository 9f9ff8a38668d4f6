// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A log that several processes share: the four calls, and what no count depends on: notes between processes, and what
/// the page shows of the engine.

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/log/log.hpp"

namespace sotto::analyzer {

/// The newest note of an author.
struct LogNote {
  std::string author, text;
  std::chrono::milliseconds age{0};
};

/// A broker as it introduced itself.
struct LogNode {
  std::string address, name, version;
  bool is_reached = false;
};

/// Which run of which study a log belongs to. Names of streams follow from it; a run is never begun twice.
struct LogRun {
  std::string study;      ///< the first 16 digits of the study's digest
  std::string run = "1";  ///< letters and digits
};

/// How partitions are made.
struct LogShape {
  std::uint32_t partitions = 0;
  std::uint32_t replicas = 3;
  std::uint64_t partition_bytes = std::uint64_t{256} << 20;  ///< a partition takes no more: it is full
};

class SharedLog : public Log {
 public:
  /// Makes the partitions that are missing and checks those that are there. With `may_make` false none may be missing.
  /// Refuses   log.other_settings; log.foreign_stream; log.missing_stream.
  [[nodiscard]] virtual Result<Done> make_partitions(const LogShape& shape, bool may_make) = 0;
  /// The sequence of the last entry; 0 where there is none.
  [[nodiscard]] virtual Result<std::uint64_t> last(std::uint32_t partition) = 0;

  /// Tells the other processes something; it replaces the author's note before, and may be lost.
  virtual void post(std::string_view author, std::string_view text) = 0;
  /// What was heard lately, by author.
  [[nodiscard]] virtual std::vector<LogNote> notes() = 0;

  /// The engine in a word, such as "nats-server".
  [[nodiscard]] virtual std::string engine() const = 0;
  [[nodiscard]] virtual std::vector<LogNode> nodes() = 0;
  /// What an operator must know of this engine's promise; empty if there is nothing.
  [[nodiscard]] virtual std::string warning() const = 0;
};

}  // namespace sotto::analyzer

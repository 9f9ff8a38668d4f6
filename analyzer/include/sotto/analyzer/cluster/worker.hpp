// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto work`: replays partitions. Any number of workers may run; those that are alive share the partitions among
/// themselves, and two that replay the same one come to the same bytes.

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/cluster/partition_replay.hpp"
#include "sotto/analyzer/log/shared_log.hpp"

namespace sotto::analyzer {

struct WorkerOptions {
  std::string name;                       ///< of letters, digits and dashes; no other worker of the run has it
  std::filesystem::path data;             ///< a directory for each partition; it may be deleted at any time
  std::vector<std::uint32_t> partitions;  ///< replayed whoever else does; empty: the share of this worker
  std::function<void(std::string_view event, std::string_view detail)> log;
};

/// Replays until `stop` is true. A log that does not answer is waited for.
/// Refuses   cluster.diverged; cluster.foreign_entry; log.truncated; what the store and the collector refuse.
[[nodiscard]] Result<Done> work(const ReplayedStudy& study, SharedLog& log, std::uint32_t partitions,
                                const WorkerOptions& options, const std::atomic<bool>& stop);

/// The partitions of a worker among those that are alive: every partition has one owner, and shares are even.
[[nodiscard]] std::vector<std::uint32_t> share_of(const std::string& worker, const std::vector<std::string>& alive,
                                                  std::uint32_t partitions);

}  // namespace sotto::analyzer

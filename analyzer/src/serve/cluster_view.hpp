// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "sotto/analyzer/html/html.hpp"
#include "sotto/analyzer/log/shared_log.hpp"

// What the page, the status and the metrics show of a cluster beside what they show of one machine.
namespace sotto::analyzer {

struct PartitionView {
  std::uint64_t last = 0;     ///< entries in the log
  std::uint64_t applied = 0;  ///< entries that are in the sums
  std::uint64_t accepted = 0;
  std::string worker;  ///< who replays it; empty: nobody
  [[nodiscard]] std::uint64_t lag() const noexcept { return last > applied ? last - applied : 0; }
};

struct ClusterView {
  std::string engine, warning;
  std::vector<LogNode> nodes;
  std::vector<PartitionView> partitions;
  std::vector<std::string> workers;
  bool is_answering = true;  ///< the log answered when it was asked last
};

/// The section of a study's page.
[[nodiscard]] html::Html cluster_section(const ClusterView& view);
/// The member "cluster" of a study's status.
[[nodiscard]] nlohmann::json cluster_object(const ClusterView& view);
/// Families of metrics, for studies in their order; nothing where none is on a cluster.
[[nodiscard]] std::string cluster_metrics(
    const std::vector<std::pair<std::string, std::shared_ptr<const ClusterView>>>& studies);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What a partition's prefix of the log comes to at a CLOSE: written once, by whoever replays it first.

#include <cstdint>
#include <optional>
#include <vector>

#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/log/log.hpp"

namespace sotto::analyzer {

/// Which sums: those of a partition at an attempt to close a round.
struct SumsName {
  std::uint16_t round = 0;
  std::uint32_t attempt = 0, partition = 0;
};

struct PartitionSums {
  ReasonCounts counts;                  ///< of all reports before the marker
  std::vector<std::uint8_t> aggregate;  ///< RoundAggregate::save()
};

/// Publishes the sums.
/// Refuses   cluster.diverged: others published other bytes, and the study is stopped; what the log refuses.
[[nodiscard]] Result<Done> publish_sums(Log& log, const SumsName& name, const PartitionSums& sums);
/// The published sums; empty if there are none yet.
/// Refuses   cluster.damaged_sums; what the log refuses.
[[nodiscard]] Result<std::optional<PartitionSums>> published_sums(Log& log, const SumsName& name);
/// The alarm that stops the study, in words; empty if there is none.
[[nodiscard]] Result<std::optional<std::string>> alarm_of(Log& log);

}  // namespace sotto::analyzer

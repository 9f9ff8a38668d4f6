// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How far workers are: told between processes, shown on the page, and read where a rule asks whether a round is full.
/// No sum depends on it.

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/log/shared_log.hpp"

namespace sotto::analyzer {

struct PartitionProgress {
  std::uint32_t partition = 0;
  std::uint64_t applied = 0;  ///< the last entry that is in the sums
  std::uint16_t round = 0;
  std::uint64_t accepted = 0;  ///< of this round
  ReasonCounts counts;         ///< of all reports
};

struct WorkerNote {
  std::string worker;
  std::vector<PartitionProgress> partitions;
};

[[nodiscard]] std::string encode_note(const std::vector<PartitionProgress>& partitions);
/// What the workers said in the last few seconds. Notes that cannot be read are left out.
[[nodiscard]] std::vector<WorkerNote> worker_notes(SharedLog& log);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How many partitions a run has. It is fixed when the run begins: reports of a pseudonym must stay in one partition.

#include <chrono>
#include <cstdint>
#include <string>

#include "sotto/analyzer/log/shared_log.hpp"

namespace sotto::analyzer {

/// Fixes the number of partitions of a new run, or checks it, and makes them. Several processes may call this at once.
/// Refuses   log.other_partitions; what SharedLog::make_partitions() refuses.
[[nodiscard]] Result<Done> begin_run(SharedLog& log, const LogRun& run, const LogShape& shape);
/// The number of partitions of a run that somebody began; 0 if nobody did within `wait`.
/// Refuses   log.other_partitions: the log belongs to another study; what the log refuses.
[[nodiscard]] Result<std::uint32_t> begun_partitions(SharedLog& log, const LogRun& run, std::chrono::milliseconds wait);
/// What tells this run from all others, also of the same name or at the same address: drawn when it began; empty before.
[[nodiscard]] Result<std::string> run_id(Log& log);

}  // namespace sotto::analyzer

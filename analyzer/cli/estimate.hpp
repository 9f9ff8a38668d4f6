// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/result.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

/// What `sotto estimate` was told.
struct EstimateOptions {
  std::string directory;
  std::vector<std::string> files;
  std::optional<std::uint16_t> round;
  std::string key, log;  ///< that signs the next round
  bool close = false, json = false;
};

/// Gives the exit code.
int estimate_vote(const EstimateOptions& options, const StudyDirectory& directory);
/// Of a study whose rounds a protocol asks.
int estimate_run(const EstimateOptions& options, const StudyDirectory& directory);

[[nodiscard]] Json counts_json(const analyzer::ReasonCounts& counts);
[[nodiscard]] std::string counts_text(const analyzer::ReasonCounts& counts);

/// All that stands in some files, as batches that a collector takes. What is cut off or unknown becomes one report that
/// nobody can read, so that it is counted.
/// Refuses   what Capture refuses.
[[nodiscard]] analyzer::Result<std::vector<Bytes>> read_batches(const std::vector<std::string>& files);

/// A sealed study without DIR/master.key.
[[nodiscard]] analyzer::Error no_master_key(const StudyDirectory& directory);

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// `sotto estimate`: collects reports of a study, and estimates a vote or runs the study's protocol. The two cases are
/// in estimate_vote.cpp and estimate_run.cpp.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "json.hpp"
#include "sotto/analyzer/collect/capture.hpp"
#include "sotto/analyzer/collect/directory_run.hpp"
#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/result.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

/// The options of `sotto estimate`.
struct EstimateOptions {
  std::string directory;
  std::vector<std::string> files;
  std::optional<std::uint16_t> round;
  std::string key, log;  ///< key and log with which the next round is signed
  bool close = false, json = false;
};

/// Estimates a study of one vote. Returns the exit code.
int estimate_vote(const EstimateOptions& options, const StudyDirectory& directory);
/// Adds reports to a study with a protocol, or closes its round. Returns the exit code.
int estimate_run(const EstimateOptions& options, const StudyDirectory& directory);

/// The command that makes the model of a study of one vote.
[[nodiscard]] std::string vote_command(const std::filesystem::path& directory);

[[nodiscard]] Json counts_json(const analyzer::ReasonCounts& counts);
[[nodiscard]] std::string counts_text(const analyzer::ReasonCounts& counts);

using analyzer::no_master_key;
using analyzer::read_batches;

}  // namespace sotto::cli

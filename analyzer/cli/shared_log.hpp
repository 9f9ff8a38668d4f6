// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The log of a cluster as verbs are told of it.

#include <CLI/CLI.hpp>

#include <filesystem>
#include <memory>
#include <string>

#include "sotto/analyzer/log/shared_log.hpp"
#include "sotto/analyzer/serve/served_study.hpp"

namespace sotto::cli {

struct LogOptions {
  std::string log, run = "1", user_file, authority;
  std::uint32_t partitions = 4, replicas = 3;
  std::uint64_t partition_megabytes = 256;
};

/// --log, --run, --log-user, --log-ca.
void add_log_options(CLI::App& verb, LogOptions& options);
/// --partitions, --replicas, --partition-megabytes: of whoever may begin a run.
void add_log_shape_options(CLI::App& verb, LogOptions& options);

[[nodiscard]] analyzer::LogShape shape_of(const LogOptions& options);
[[nodiscard]] analyzer::LogRun run_of(const LogOptions& options, const Digest& study);

/// Opens the log of a study: nats://HOST:PORT,... or sqlite:FILE.
/// Refuses   usage; log.not_built; what the engine refuses.
[[nodiscard]] analyzer::Result<std::unique_ptr<analyzer::SharedLog>> open_shared_log(const LogOptions& options,
                                                                                     const Digest& study);

/// A study directory as a gateway needs it: without its master key, which need not be on this machine.
/// Refuses   what open_study_directory() refuses; serve.no_protocol; serve.signed_cluster; io.cannot_write.
[[nodiscard]] analyzer::Result<analyzer::ServedStudy> open_gateway_study(const std::string& directory,
                                                                         const std::filesystem::path& data,
                                                                         const LogOptions& options);

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A study as `sotto serve` is given it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sotto/analyzer/crypto/ticket.hpp"
#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/log/shared_log.hpp"
#include "sotto/analyzer/study/study.hpp"
#include "sotto/credential.hpp"

namespace sotto::analyzer {

/// When a round closes by itself: at `target` accepted reports, or `seconds` after it was opened; never with fewer than
/// the study's minimum. 0: not by this.
struct ClosingRule {
  std::uint64_t target = 0;
  std::uint64_t seconds = 0;
};

/// The log of a study on a cluster.
struct ServedLog {
  std::shared_ptr<SharedLog> log;
  LogRun run;
  LogShape shape;
};

/// A compiled study, and the directory where its run is kept.
struct ServedStudy {
  Study study;
  std::vector<std::uint8_t> manifest;
  std::optional<MasterKey> master;             ///< opens sealed reports and makes credentials
  std::unique_ptr<const PublicDesign> design;  ///< features of a label study
  std::string command;                         ///< the command that makes the model again
  std::filesystem::path data;                  ///< run.sqlite, collection.sqlite, model.json, report.html
  ClosingRule rule;
  /// Of a signed study: its manifest as devices are given it, and what makes a round fit for them. Called from one thread
  /// before the round is published; the signer's log has the round by then.
  std::vector<std::uint8_t> signed_manifest = {};
  std::function<Result<std::vector<std::uint8_t>>(std::span<const std::uint8_t> round)> sign = {};
  std::optional<TicketCheck> tickets = {};  ///< of a study whose devices enrol with tickets of another party
  std::optional<ServedLog> log = {};        ///< of a study on a cluster: reports go there, and no key is needed here
};

/// The directory of a study inside the server's data: the first 16 digits of its digest.
[[nodiscard]] std::filesystem::path data_directory(const std::filesystem::path& data, const std::string& digest);

}  // namespace sotto::analyzer

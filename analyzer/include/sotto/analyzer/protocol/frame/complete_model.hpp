// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Completes the model that a protocol has estimated with what the study knows: names, units, the privacy statement,
/// the assumptions, and the counts of reports.

#include <string>
#include <vector>

#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"
#include "sotto/analyzer/study/study.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// What the analyst had to know or guess, as one sentence each.
[[nodiscard]] std::vector<std::string> assumed_public(const RegressionTerms& terms);

/// Adds to a protocol's model what the study states: names and units, values in those units, the privacy statement,
/// what was assumed to be public, and how many reports were used or refused.
void complete_model(const Study& study, const Manifest& manifest, const ReasonCounts& counts, Model& model);

/// A run whose rounds are all closed, simulated or collected.
struct FinishedRun {
  const Study& study;
  const Manifest& manifest;
  const ReportSizes& sizes;
  ReasonCounts counts;
  std::string command;  ///< the command that reproduces the model
  bool simulated = false;
};

/// The completed model of a run: the protocol's estimates, the size of its reports, and complete_model().
[[nodiscard]] Model finish_model(const Protocol& protocol, const FinishedRun& run);

}  // namespace sotto::analyzer

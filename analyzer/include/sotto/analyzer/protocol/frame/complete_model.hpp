// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"
#include "sotto/analyzer/study/study.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// What the analyst had to know or guess, one sentence each.
[[nodiscard]] std::vector<std::string> assumed_public(const RegressionTerms& terms);

/// Adds to a protocol's model what the study says: names and units, values per unit, the privacy statement, what was assumed to be
/// public, and what became of the reports.
void complete_model(const Study& study, const Manifest& manifest, const ReasonCounts& counts, Model& model);

/// A run whose rounds are closed, simulated or collected.
struct FinishedRun {
  const Study& study;
  const Manifest& manifest;
  const ReportSizes& sizes;
  ReasonCounts counts;
  std::string command;  ///< that makes the model again
  bool simulated = false;
};

/// The model of a run, completed: what the protocol learned, what its reports cost, what the study says.
[[nodiscard]] Model finish_model(const Protocol& protocol, const FinishedRun& run);

}  // namespace sotto::analyzer

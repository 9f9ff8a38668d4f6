// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What left a device in each run, and the event that tells two data sets apart best: it is found on one half of the
/// runs and measured on the other.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/audit/confidence.hpp"

namespace sotto::analyzer::audit {

/// What an observer sees of one run.
struct Outcome {
  std::string context;                            ///< public, and independent of the data: study, round, pseudonym
  std::vector<std::optional<std::string>> parts;  ///< the payload of each report; none where the device refused
  std::optional<std::uint64_t> time;              ///< how long the last report took, in instructions or any unit
};

/// The runs of two data sets. Each context has as many runs of the one as of the other, and all runs have equally many
/// parts.
struct Runs {
  std::vector<Outcome> first, second;
};

/// The event that was found, and how often it happened in the half that had no part in finding it.
struct MeasuredEvent {
  std::string name = "nothing differs";
  EventCounts counts;  ///< `first` is the data set that makes the event likely, whichever it is
  double lower_bound = 0;
  double estimate = 0;  ///< the same without confidence: ln((likely - delta)/rare), half a hit added to none
};

/// The runs of each data set that measure: half of them, by context.
[[nodiscard]] std::uint64_t measured_runs(const Runs& runs);

/// Finds and measures an event among the reports.
/// Estimate  of every four runs of a context the first teaches statistics (how much more often an outcome, its upper
///           bits, its parts or their equality came from the first data set; for numbers Fisher's discriminant), the
///           second chooses one of them and a cut by the bound that it would give, and the others are counted.
/// Error     the bound exceeds the true epsilon with probability at most alpha, whatever was found.
/// `numbers`: payloads are 24-bit numbers with sign, as those of Gaussian questions.
[[nodiscard]] MeasuredEvent measure_reports(const Runs& runs, double alpha, double delta, bool numbers);
/// The same with time as the only thing that is seen. All runs have a time.
[[nodiscard]] MeasuredEvent measure_times(const Runs& runs, double alpha, double delta);

}  // namespace sotto::analyzer::audit

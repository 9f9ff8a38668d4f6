// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <vector>

#include "law_run.hpp"

// One fleet of an everyday question.
namespace sotto::analyzer {

struct EverydayRun {
  LawOutcome sent;            ///< reports, bytes, rounds, device
  double error = 0;           ///< expected, around what this fleet found
  std::vector<double> draws;  ///< errors of such fleets
  double zero = 0;            ///< of what the question's public terms alone say
  double half_width = 0;      ///< of the first estimate's interval
  Verdict verdict = Verdict::cannot_learn;
};

/// Which of the errors of EverydayWorld::measure() is planned.
[[nodiscard]] const char* everyday_metric(std::string_view kind) noexcept;

/// A number, a count or an event. `larger`: how many times more devices are planned for than the world has.
[[nodiscard]] Result<EverydayRun> run_numbers(const EverydayOptions& world, double dropout, double larger);
/// A category or a cross-tab, by the law of the sums of its votes.
[[nodiscard]] Result<EverydayRun> run_categories(const EverydayOptions& world, double dropout);
/// The most common items, in closed form.
[[nodiscard]] Result<EverydayRun> run_items(const EverydayOptions& world, double dropout);

}  // namespace sotto::analyzer

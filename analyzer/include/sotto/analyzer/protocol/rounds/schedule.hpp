// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The schedule of protocols that alternate between selecting variables and estimating them (cascade, boost): which
/// share of the devices is asked what, and whether the fleet is large enough to learn anything.

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// Number of candidates of the last cohorts, divided by s. More than 1, because underestimating s costs most.
inline constexpr double k_final_per_variable = 1.5;

/// What a cohort is asked.
enum class StepKind : std::uint8_t {
  select,    ///< select variables on the residual of the model, by votes
  estimate,  ///< estimate the coefficients of the chosen variables
};

/// One cohort of the schedule.
struct Step {
  StepKind kind = StepKind::select;
  double share = 0;              ///< of the devices
  std::uint32_t candidates = 0;  ///< estimate: most variables that are asked about; select: variables that boost adds
  double radius = 0;             ///< estimate, in boost: the radius that answers are clipped to
};

/// The order and sizes of the cohorts. It follows from the study alone.
struct Schedule {
  std::vector<Step> steps;
  /// By how many standard errors a variable of the expected size stands out in the first selection.
  double evidence = 0;
  std::string hopeless;      ///< why the fleet cannot learn anything, and what would change that; empty if it can
  std::string no_intervals;  ///< boost: why no cohort is left for intervals; empty if the last one is
};

/// A selection cohort, then estimation cohorts that narrow the candidates, with a second selection between them if the
/// first one is strong.
/// Refuses  what propose_vote() refuses.
[[nodiscard]] Result<Schedule> cascade_schedule(const RegressionTerms& terms);
/// Two blocks, each of a selection cohort that adds variables and three estimation cohorts that take gradient steps. Then
/// a cohort for intervals, where the fleet and the rows of a device allow it.
[[nodiscard]] Result<Schedule> boost_schedule(const RegressionTerms& terms);

/// The probability that the largest of |z_1|, ..., |z_d| belongs to one of the s variables that matter, if theirs are
/// N(mu, 1) and the others N(0, 1).
[[nodiscard]] double chance_of_a_true_vote(double mu, double features, double variables);

/// The cohorts' weights in a manifest: shares in units of 1/60000.
[[nodiscard]] std::vector<std::uint16_t> cohort_weights(const Schedule& schedule);

/// By how many standard errors a variable of the expected size stands out, divided by the square root of the number of
/// devices asked.
struct ScoreOfOne {
  double by_vote = 0;
  double true_vote = 0;  ///< probability that the variable a device votes for is one that matters
};
[[nodiscard]] Result<ScoreOfOne> score_of_one(const RegressionTerms& terms);

}  // namespace sotto::analyzer

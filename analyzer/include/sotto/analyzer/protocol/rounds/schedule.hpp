// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// Candidates of the last cohorts, over s: a guess of s that is too small costs most.
inline constexpr double k_final_per_variable = 1.5;

/// What a cohort is asked for.
enum class StepKind : std::uint8_t {
  select,    ///< which variables matter on what the model leaves: a vote, or scores
  estimate,  ///< how the chosen ones go
};

struct Step {
  StepKind kind = StepKind::select;
  double share = 0;              ///< of the devices
  std::uint32_t candidates = 0;  ///< estimate: asked about, at most. select: added by boost
  double radius = 0;             ///< estimate, of boost: that answers are clipped to
};

/// Who is asked when, and about how much. All of it follows from the study.
struct Schedule {
  std::vector<Step> steps;
  bool votes = true;  ///< selection by votes; else by score reports, which lose less at small epsilon
  double evidence =
      0;  ///< standard errors that the first selection lifts a variable of the expected size out of the noise
  std::string hopeless;  ///< why asking would only make noise, and what would change that; empty: worth asking
};

/// A selection cohort, then estimation cohorts that narrow the candidates; where the first selection is strong, another one in
/// between.
/// Refuses  what propose_vote() refuses.
[[nodiscard]] Result<Schedule> cascade_schedule(const RegressionTerms& terms);
/// Two blocks, each of a selection cohort that adds variables and three estimation cohorts that step along them.
[[nodiscard]] Result<Schedule> boost_schedule(const RegressionTerms& terms);

/// P(the largest of |z_1..d| belongs to one of the s that matter), theirs N(mu, 1), the others' N(0, 1).
[[nodiscard]] double chance_of_a_true_vote(double mu, double features, double variables);

/// The cohorts' weights in a manifest: shares in units of 1/60000.
[[nodiscard]] std::vector<std::uint16_t> cohort_weights(const Schedule& schedule);

/// Standard errors that one variable of the expected size stands out by, over the square root of the devices asked.
struct ScoreOfOne {
  double by_vote = 0, by_scores = 0;
  double true_vote = 0;  ///< chance that a device's strongest variable is one that matters
};
[[nodiscard]] Result<ScoreOfOne> score_of_one(const RegressionTerms& terms);

}  // namespace sotto::analyzer

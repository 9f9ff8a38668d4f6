// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/rounds/coordinate.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// The first round of the papers' protocols: one vote decides which variables are estimated.
///
/// Default  a vote for the strongest variable. Kept is what stands out of the noise of the votes by the normal quantile of 1 - 1/d:
///          of d variables that do not matter, one gets there on average.
/// Paper    a vote for any of the variables that the local Lasso selects among the 64 strongest, with equal odds; lambda is
///          noise * sqrt(2 ln d / m). Kept is what has a share of at least rho = 1/(8s), the paper's threshold for alpha = 1. Corrected: the
///          device randomizes once, where Alg. 3 randomizes again for every candidate; the oracle covers all d variables at once,
///          where Alg. 4 walks a prefix tree that starts without a root. Screening looks at |X'y|.
[[nodiscard]] Result<RoundDraft> draft_ballot(const RegressionTerms& terms, std::uint16_t number, std::uint8_t cohort);

struct Ballot {
  std::vector<std::uint32_t> chosen;  ///< rising
  double strongest = 0, needed = 0;   ///< default: standard errors above the middle; paper: shares
};

/// At most most_chosen() variables. Adds the votes, the share of empty devices and the round's record to the model.
[[nodiscard]] Ballot read_ballot(const RegressionTerms& terms, const RoundAggregate& aggregate, Model& model);
/// The share of devices without rows that the ballot found. With the paper's vote "none" may also mean that the Lasso selected
/// nothing, so nothing is divided out.
[[nodiscard]] Dilution dilution_of(const Model& model);

/// s, but no more than local least squares carries: 32 variables, half of the rows.
[[nodiscard]] std::uint32_t most_chosen(const RegressionTerms& terms);

/// Squared error that variables missed by this many votes leave: each is about norm^2/s.
/// Refuses  what propose_vote() refuses.
[[nodiscard]] Result<double> missed_by_votes(const RegressionTerms& terms, double devices);

/// The best guess from estimates whose errors have this squared length together: pulled to zero by the share of noise in their
/// length, and into the ball of the study's norm.
[[nodiscard]] std::vector<double> shrunken(const RegressionTerms& terms, std::vector<double> estimate, double noise);

/// What a model without a variable says.
void say_nothing_stands_out(const RegressionTerms& terms, const Ballot& ballot, Model& model);
/// One sentence with numbers for a model that settle() judged.
void say_what_was_confirmed(std::size_t asked, Model& model);

}  // namespace sotto::analyzer

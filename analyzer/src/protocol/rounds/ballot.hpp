// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The voting round of two-round and multi-round: one vote of each device decides which variables are estimated.

#include <string>
#include <vector>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/rounds/coordinate.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// The round that asks for votes.
///
/// Default  a vote for the variable most correlated with the target. A variable is kept if its votes exceed the noise
///          by the normal quantile of 1 - 1/d, which of d irrelevant variables one does on average.
/// Paper    a vote for any of the variables that the local Lasso selects among the 64 strongest, with equal
///          probability; lambda is noise * sqrt(2 ln d / m). A variable is kept if its share is at least rho = 1/(8s),
///          the paper's threshold for alpha = 1. Corrected: the device randomizes once, where Alg. 3 randomizes again
///          for every candidate; the oracle covers all d variables at once, where Alg. 4 walks a prefix tree that
///          starts without a root. Screening uses |X'y|.
[[nodiscard]] Result<RoundDraft> draft_ballot(const RegressionTerms& terms, std::uint16_t number, std::uint8_t cohort);

/// The result of the votes.
struct Ballot {
  std::vector<std::uint32_t> chosen;  ///< in ascending order
  double strongest = 0, needed = 0;   ///< default: standard errors above the median; paper: shares
};

/// Reads the votes and chooses at most most_chosen() variables. Adds the votes, the share of empty devices and the
/// round's record to the model.
[[nodiscard]] Ballot read_ballot(const RegressionTerms& terms, const RoundAggregate& aggregate, Model& model);
/// The share of devices without rows, as the votes show it. Zero for the paper's vote, in which "none" may also mean
/// that the Lasso selected nothing.
[[nodiscard]] Dilution dilution_of(const Model& model);

/// The most variables that are chosen: s, limited by what local least squares can fit, 32 variables and half of the
/// rows.
[[nodiscard]] std::uint32_t most_chosen(const RegressionTerms& terms);

/// The squared error of the variables that this many votes miss, each about norm^2/s.
/// Refuses  what propose_vote() refuses.
[[nodiscard]] Result<double> missed_by_votes(const RegressionTerms& terms, double devices);

/// Shrinks estimates whose errors have this total squared norm: towards zero by the share of noise in their norm, and
/// into the ball of the study's norm.
[[nodiscard]] std::vector<double> shrunken(const RegressionTerms& terms, std::vector<double> estimate, double noise);

/// Sets the explanation of a model without variables.
void say_nothing_stands_out(const RegressionTerms& terms, const Ballot& ballot, Model& model);
/// Sets the explanation of a model with variables.
void say_what_was_confirmed(std::size_t asked, Model& model);

}  // namespace sotto::analyzer

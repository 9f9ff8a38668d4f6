// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads the votes of a selection round, and estimates the share of devices without data.

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// The share of devices without data, which vote for "none". Selection cohorts estimate the share, and later cohorts are
/// corrected for it.
class EmptyShare {
 public:
  void add(double share, double variance) noexcept;
  /// Zero unless it is at least two standard errors: correcting by noise would only add noise.
  [[nodiscard]] double share() const noexcept;
  [[nodiscard]] double variance() const noexcept;
  /// Whether so many devices are empty that the share is not known well enough to correct for it.
  [[nodiscard]] bool is_most() const noexcept;

 private:
  double weighted_ = 0, precision_ = 0;
};

inline constexpr std::string_view k_most_are_empty = "four fifths of the devices or more have nothing to say";

/// The result of a selection round for each feature.
struct Selection {
  std::vector<double> raw;    ///< share of the votes
  std::vector<double> score;  ///< standard errors above the noise
};

/// Adds the votes (of the first selection round) and the round's record to the model.
[[nodiscard]] Selection read_selection(const RegressionTerms& terms, std::size_t round, const VoteShares& votes,
                                       EmptyShare& empty, Model& model);

/// The record of an estimation round.
[[nodiscard]] RoundRecord record_of(std::size_t round, const DirectionQuestion& question,
                                    const DirectionAnswer& answer);

/// Corrects for the share f of devices without data, which answer zero and reduce every mean to (1 - f) of itself.
void divide_out_empty(const Model& model, DirectionAnswer& answer);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

namespace sotto::analyzer {

/// Devices that hold nothing. In a vote they say "none"; in a report of scores they answer the pole, which everybody else hardly
/// touches. Selection cohorts estimate their share, and later ones divide it out.
class EmptyShare {
 public:
  void add(double share, double variance) noexcept;
  /// Zero unless it is two standard errors above: dividing by noise would only add noise.
  [[nodiscard]] double share() const noexcept;
  [[nodiscard]] double variance() const noexcept;
  /// So many hold nothing that the share is not known well enough to be divided out: nothing can be said.
  [[nodiscard]] bool is_most() const noexcept;

 private:
  double weighted_ = 0, precision_ = 0;
};

inline constexpr std::string_view k_most_are_empty = "four fifths of the devices or more have nothing to say";

/// What a selection round says of every feature.
struct Selection {
  std::vector<double> raw;    ///< share of the votes, or length of the mean score
  std::vector<double> score;  ///< standard errors above the noise
};

/// Reads votes or scores. Adds the votes (of the first such round) and the round's record to the model.
[[nodiscard]] Selection read_selection(const RegressionTerms& terms, bool votes, std::size_t round,
                                       const RoundAggregate& aggregate, EmptyShare& empty, Model& model);

/// Of an estimation round, for the model's list.
[[nodiscard]] RoundRecord record_of(std::size_t round, const DirectionQuestion& question,
                                    const DirectionAnswer& answer);

/// A share f of devices that hold nothing answers zero and pulls every mean to (1 - f) of itself.
void divide_out_empty(const Model& model, DirectionAnswer& answer);

}  // namespace sotto::analyzer

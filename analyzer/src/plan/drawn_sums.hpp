// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "draws.hpp"
#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/channel/support_odds.hpp"
#include "sotto/analyzer/math/direction_error.hpp"

// The integers that the reports of a cohort would have left in an aggregate, drawn from their law. They go the way of
// sums that were stored: the aggregate loads and checks them, and its own close() estimates from them.
namespace sotto::analyzer {

/// A cohort's votes: of `size` devices, of which `drawn` were looked at, one by one if these are all.
struct DrawnVotes {
  std::vector<double> votes;  ///< of the devices that were looked at, by category
  std::uint64_t size = 0, drawn = 0;
};
Result<RoundAggregate> vote_sums(const Manifest& manifest, const Round& round, const VoteSpec& spec,
                                 const DrawnVotes& cohort, Draws& draws);

/// A cohort's lifted answers, by coordinate, the pole last.
struct DrawnDirections {
  std::vector<double> mean, square;  ///< of the answers
  std::uint64_t size = 0;
  bool is_whole = false;  ///< every device was looked at: only the channel varies around these means
};
Result<RoundAggregate> direction_sums(const Manifest& manifest, const Round& round, const DirectionError& law,
                                      const DrawnDirections& cohort, Draws& draws);

/// A cohort's mean signs.
Result<RoundAggregate> block_sums(const Manifest& manifest, const Round& round, const BlockSpec& spec,
                                  const std::vector<double>& signs, std::uint64_t size, Draws& draws);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The plan of coordinate rounds: the channel of the value round, and the number of bins with the smallest error.

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// The channel of a value round: the window randomizer, or for the paper's mechanisms discrete Laplace on a grid of 63
/// steps in place of the paper's real-valued noise (64 steps would exceed the channel's digits above epsilon 11).
struct ValueChannel {
  AnySpec spec;
  double variance = 0;  ///< largest variance of one report of an answer in [-1, 1]
};
/// Refuses  an epsilon that no channel supports.
[[nodiscard]] Result<ValueChannel> value_channel(const RegressionTerms& terms);

/// What is known in advance of a vector of which each device reports one rotated coordinate.
struct CoordinateFacts {
  std::uint32_t size = 1;                     ///< dimension of the vector
  double reach = 1;                           ///< the mean of a coordinate lies in [-reach, reach]
  double spread = 1;                          ///< standard deviation of one device's coordinate
  double bin_devices = 0, value_devices = 0;  ///< expected number of devices in the two rounds
};

struct CoordinatePlan {
  AnySpec bin;
  std::uint32_t bins = 0;
  double range = 1;      ///< the bins divide [-range, range] into equal parts
  double predicted = 0;  ///< squared error of the whole vector
  /// Squared error of one coordinate from a wrong bin: its probability times the square of its distance.
  double misplaced = 0;
};

/// Chooses the number of bins and the oracle.
///
/// Default  [-range, range] extends two spreads beyond the reach. Bins are at least two spreads wide, so that the one
///          with most reports and its neighbours contain nearly all answers. Their number, 3 to 64, minimizes the
///          predicted error: the noise of the value round over the width of three bins, and the probability of a wrong
///          bin times the square of its distance. The vote oracle over the bins: GRR or linear hashing, whichever has
///          less variance.
/// Paper    k = reach/tau bins of width 2 tau on [-reach, reach] through Hadamard response, with tau one spread: the
///          paper leaves the constant open and tunes k on the results. Each device answers one coordinate with the
///          whole epsilon, where the paper's Range asks for all of them with epsilon/s each; k need not be a power of
///          two.
/// Refuses  an epsilon that no oracle supports.
[[nodiscard]] Result<CoordinatePlan> plan_coordinates(const RegressionTerms& terms, const ValueChannel& value,
                                                      const CoordinateFacts& facts);

}  // namespace sotto::analyzer

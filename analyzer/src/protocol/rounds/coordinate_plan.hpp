// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"

namespace sotto::analyzer {

/// The channel of a value round: window; the paper's discrete Laplace with a grid of 63 steps in place of its real-valued noise
/// (64 would need more digits than the channel has above epsilon 11).
struct ValueChannel {
  AnySpec spec;
  double variance = 0;  ///< of one report of an answer in [-1, 1], at most
};
/// Refuses  an epsilon that no channel carries.
[[nodiscard]] Result<ValueChannel> value_channel(const RegressionTerms& terms);

/// What is known of a vector of which devices answer one rotated coordinate each, before any of them does.
struct CoordinateFacts {
  std::uint32_t size = 1;                     ///< numbers of the vector
  double reach = 1;                           ///< a mean coordinate lies in -reach .. reach
  double spread = 1;                          ///< standard deviation of one device's coordinate
  double bin_devices = 0, value_devices = 0;  ///< that are expected to answer
};

struct CoordinatePlan {
  AnySpec bin;
  std::uint32_t bins = 0;
  double range = 1;      ///< the bins cut -range .. range in equal parts
  double predicted = 0;  ///< squared error of the whole vector
  double misplaced =
      0;  ///< squared error of one coordinate by a wrong bin: its chance times the square of its distance
};

/// How many bins, and through which oracle.
///
/// Default  -range .. range reaches two spreads beyond the reach. Bins are at least two spreads wide, so that the heaviest one and
///          its neighbours hold nearly all answers; their number, 3 .. 64, is the one with the least predicted error: what the value
///          round then adds over three bins' width, and the chance of a wrong bin times the square of its distance. The vote oracle
///          over the bins: GRR or linear hashing, whichever has less variance.
/// Paper    k = reach/tau bins of width 2 tau on -reach .. reach through Hadamard response, tau one spread: the paper leaves the
///          constant open and tunes k on the results. One coordinate a device with the whole epsilon, where the paper's Range asks all
///          of them with epsilon/s each; k need not be a power of two.
/// Refuses  an epsilon that no oracle carries.
[[nodiscard]] Result<CoordinatePlan> plan_coordinates(const RegressionTerms& terms, const ValueChannel& value,
                                                      const CoordinateFacts& facts);

}  // namespace sotto::analyzer

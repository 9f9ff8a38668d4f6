// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The error of a simulated vote against its truth, and the verdict on what was learned.

#include <cstdint>
#include <vector>

#include "sotto/analyzer/math/normal.hpp"
#include "sotto/analyzer/model/verdict.hpp"
#include "sotto/analyzer/simulate/vote_fleet.hpp"

namespace sotto::analyzer {

/// The error of one run against the truth that the simulator knows.
struct VoteMetrics {
  double l2_squared_error = 0;  ///< sum over features and none of (estimated share - true share)^2
  double relative_error = 0;    ///< its square root divided by the l2 norm of the true shares
  double f1 = 0;                ///< of the strongest estimates as a guess of the features with votes
  double coverage = 0;          ///< share of the 95 % intervals (features and none) that contain the truth
  Verdict verdict = Verdict::cannot_learn;
};
[[nodiscard]] VoteMetrics measure(const VoteRun& run);

/// The verdict, from the estimates alone: learned if the `heavy` strongest all exceed the detection limit, cannot learn
/// if none does, else uncertain.
[[nodiscard]] Verdict judge(const VoteShares& shares, std::size_t heavy);

}  // namespace sotto::analyzer

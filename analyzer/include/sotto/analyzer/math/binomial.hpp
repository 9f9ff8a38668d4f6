// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The exact upper tail of a binomial count, and which of several tests stand after Holm's correction.

#include <cstdint>
#include <span>
#include <vector>

namespace sotto::analyzer {

/// P(X >= hits) for a binomial X with this many trials and this probability. Exact to rounding, also far out, where a
/// normal tail is many times too small.
[[nodiscard]] double binomial_tail(std::uint64_t hits, std::uint64_t trials, double probability);

/// Holm's procedure: which hypotheses are rejected so that the chance of any wrong rejection is at most `level`.
[[nodiscard]] std::vector<bool> holm_rejects(std::span<const double> p_values, double level);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>

// A distribution over the levels of a window channel, which are places in [0, 1]: level i of N holds the places from
// (i - 1/2) to (i + 1/2) steps of 1/(N - 1), the first and the last level half of that.
namespace sotto::analyzer {

struct LevelEnds {
  double from, until;
};
[[nodiscard]] LevelEnds level_ends(std::size_t level, std::size_t levels) noexcept;

/// The share at or below a place, and the place below which a share lies. A level's mass is spread evenly over it.
[[nodiscard]] double share_below(std::span<const double> levels, double place);
[[nodiscard]] double place_of(std::span<const double> levels, double share);

}  // namespace sotto::analyzer

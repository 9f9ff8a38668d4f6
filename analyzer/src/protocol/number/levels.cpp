// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "levels.hpp"

#include <algorithm>

namespace sotto::analyzer {

LevelEnds level_ends(std::size_t level, std::size_t levels) noexcept {
  const auto last = static_cast<double>(levels - 1), at = static_cast<double>(level);
  return {std::max(0.0, at - 0.5) / last, std::min(last, at + 0.5) / last};
}

double share_below(std::span<const double> levels, double place) {
  const double at = std::clamp(place, 0.0, 1.0);
  double sum = 0;
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const LevelEnds ends = level_ends(i, levels.size());
    if (at <= ends.from) break;
    sum += levels[i] * std::min(1.0, (at - ends.from) / (ends.until - ends.from));
  }
  return sum;
}

double place_of(std::span<const double> levels, double share) {
  double left = std::clamp(share, 0.0, 1.0);
  for (std::size_t i = 0; i < levels.size(); ++i) {
    const LevelEnds ends = level_ends(i, levels.size());
    if (left <= levels[i]) return ends.from + (levels[i] > 0 ? left / levels[i] : 0) * (ends.until - ends.from);
    left -= levels[i];
  }
  return 1;
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/spec/grr.hpp"
#include "sotto/spec/window.hpp"

// The distribution of a number, and its quantiles: a fit to the window round, corrected by the ranks that a round of
// cells measures at cut points. Derivation: docs/EVERYDAY.md
namespace sotto::analyzer {

/// A place in [0, 1], or a share, with its 95 % interval.
struct Banded {
  double value = 0, low = 0, high = 0;
};

/// The reports of a round of cells, cut at places of the range in ascending order.
struct CellRound {
  GrrSpec spec;
  std::vector<double> cuts;     ///< places
  std::vector<double> reports;  ///< of each cell, as they were sent
};

/// What a window round says of the distribution, with a bootstrap of its cohort.
class Distribution {
 public:
  Distribution(const WindowSpec& spec, std::span<const double> outcomes);

  /// The shares of equal bins of the range.
  [[nodiscard]] std::vector<Banded> bins(std::size_t count) const;
  /// The place below which the share lies, from the window round alone.
  [[nodiscard]] double place(double share) const;
  /// The same, moved by as much as the cut's measured rank is off; cells.cuts[cut] was cut for it. The interval holds
  /// the noise of both cohorts.
  [[nodiscard]] Banded corrected(double share, const CellRound& cells, std::size_t cut) const;

 private:
  std::vector<double> levels_;
  std::vector<std::vector<double>> again_;  // fits to resampled outcomes
};

}  // namespace sotto::analyzer

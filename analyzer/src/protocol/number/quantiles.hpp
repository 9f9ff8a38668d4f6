// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <vector>

#include "level_fit.hpp"

// The distribution of a number, and its quantiles: a fit to the window round and to the round of cells, corrected by the
// ranks that the cells measure at cut points. Derivation: docs/protocols/number.md
namespace sotto::analyzer {

/// A place in [0, 1], or a share, with its 95 % interval.
struct Banded {
  double value = 0, low = 0, high = 0;
};

/// Where quantiles are thought to be after the window round alone.
[[nodiscard]] std::vector<double> places_to_cut(const WindowSpec& spec, std::vector<double> outcomes,
                                                const std::vector<double>& shares);

/// What both rounds say of the distribution, with a bootstrap of their cohorts.
class Distribution {
 public:
  Distribution(const WindowSpec& spec, std::vector<double> outcomes, const CellRound& cells);

  /// The shares of equal bins of the range.
  [[nodiscard]] std::vector<Banded> bins(std::size_t count) const;
  /// The place below which the share lies, for which cells.cuts[cut] was cut: of the fit, moved by half of what the
  /// cut's measured rank is off. The interval holds the noise of both cohorts and the fit's resolution; one that reaches
  /// an end of the range has no end there, as more may lie beyond it.
  [[nodiscard]] Banded quantile(double share, std::size_t cut) const;
  static constexpr double k_beyond = 1e9;  ///< a place beyond any range

 private:
  /// Levels that were fitted, and the rank of each cut.
  struct Fitted {
    std::vector<double> levels, ranks;
  };
  [[nodiscard]] std::vector<double> ranks_of(const std::vector<double>& reports) const;

  CellRound cells_;
  Fitted fitted_;
  std::vector<double> blurred_;  // the fit blurred again: it differs about as the fit does from the truth
  double resolution_ = 0;        // by how much a fit blurs a single value, its standard deviation
  std::vector<Fitted> again_;    // fits to other cohorts
};

}  // namespace sotto::analyzer

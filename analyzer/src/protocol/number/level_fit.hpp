// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>
#include <vector>

#include "sotto/spec/grr.hpp"
#include "sotto/spec/window.hpp"

// The distribution of a number over the levels of the window channel, fitted to the outcomes of a window round and to
// the reports of a round of cells. Derivation: docs/protocols/number.md
namespace sotto::analyzer {

/// The reports of a round of cells, cut at places of the range in ascending order.
struct CellRound {
  GrrSpec spec;
  std::vector<double> cuts;     ///< places
  std::vector<double> reports;  ///< of each cell, as they were sent; none if the round was not asked
};

/// What both rounds received: of each outcome, and of each cell.
struct Evidence {
  std::vector<double> outcomes, reports;
};

/// Expectation maximisation over the levels, smoothed by (1, 2, 1) / 4 every so many steps.
class LevelFit {
 public:
  LevelFit(const WindowSpec& spec, const CellRound& cells);

  /// Chooses the most smoothing, of seven, that the evidence does not refute, and fits with it.
  [[nodiscard]] std::vector<double> choose(const Evidence& evidence);
  /// A fit with the smoothing that was chosen.
  [[nodiscard]] std::vector<double> fit(const Evidence& evidence) const { return fit(evidence, every_); }
  /// How a fit with the smoothing that was chosen blurs a single value in the middle of the levels.
  [[nodiscard]] std::vector<double> blur() const;

 private:
  [[nodiscard]] std::vector<double> fit(const Evidence& evidence, int every) const;
  [[nodiscard]] double likelihood(const std::vector<double>& levels, const Evidence& evidence) const;
  /// Over both rounds.
  struct Odds {
    std::vector<double> outcomes, reports;
  };
  void find_odds(const std::vector<double>& levels, std::vector<double>& below, Odds& odds) const;

  std::size_t width_, levels_;
  double inside_, outside_;                  // probability of one outcome in the window, and of one beyond it
  double hit_ = 0, other_ = 0;               // of a device's own cell, and of each other one
  std::vector<std::vector<double>> within_;  // of each cell: the share of each level that lies in it
  double nats_;
  int every_ = 1;
};

}  // namespace sotto::analyzer

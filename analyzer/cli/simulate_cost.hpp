// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Predicts time and memory of a simulation before it starts.

#include <string>

#include "simulate.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// A rough prediction, to tell minutes from weeks before a simulation begins.
struct SimulationCost {
  double seconds = 0;  ///< with the requested threads, on cores of 2020
  double bytes = 0;    ///< memory that grows with the fleet
};

/// Predicts the cost. `devices`: devices of one run; `runs`: repeats of all compared protocols together.
[[nodiscard]] SimulationCost cost_of(const SimulateOptions& options, double devices, double runs);

/// A readable duration: "40 s", "3 hours", "12 years".
[[nodiscard]] std::string duration_text(double seconds);

/// Prints the predicted cost of a simulation of more than a minute on stderr, whether or not that is a terminal, so
/// that a mistaken start is noticed.
/// Refuses   simulate.too_large: the fleet does not fit into the machine's memory.
[[nodiscard]] analyzer::Result<analyzer::Done> announce_cost(const SimulateOptions& options, double devices,
                                                             double runs);

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

#include "simulate.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// What a simulation will take, roughly: it is there to tell a coffee from a week before it begins.
struct SimulationCost {
  double seconds = 0;  ///< with the threads that were asked for, on a core of 2020
  double bytes = 0;    ///< of memory that grows with the fleet
};

/// `devices` are those of one run, `runs` the repeats of all protocols that are compared.
[[nodiscard]] SimulationCost cost_of(const SimulateOptions& options, double devices, double runs);

/// A duration for people: "40 s", "3 hours", "12 years".
[[nodiscard]] std::string duration_text(double seconds);

/// Says on stderr what a simulation of more than a minute will take. Terminal or not: who started it by mistake wants
/// to know now.
/// Refuses   simulate.too_large: the fleet does not fit into this machine's memory.
[[nodiscard]] analyzer::Result<analyzer::Done> announce_cost(const SimulateOptions& options, double devices,
                                                             double runs);

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The fleet that is planned for: what an analyst guesses of it before any device is asked.

#include <functional>

#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace sotto::analyzer {

/// All of it is public, as the numbers of a study are.
struct PlannedFleet {
  SyntheticSpec world;  ///< devices, rows, features, signal, noise, design; the seed is not used
  double epsilon = 1, delta = 0;
  double dropout = 0;                  ///< share of devices that never send
  Assumptions assumptions;             ///< what the study states, where this differs from the fleet
  std::function<bool()> is_stopped{};  ///< asked from batch to batch; true ends the planning
};

}  // namespace sotto::analyzer

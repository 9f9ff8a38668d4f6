// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The fleet that is planned for: what an analyst guesses of it before any device is asked.

#include <functional>
#include <optional>

#include "sotto/analyzer/simulate/everyday_world.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"

namespace sotto::analyzer {

/// All of it is public, as the numbers of a study are.
struct PlannedFleet {
  SyntheticSpec world;  ///< devices, rows, features, signal, noise, design; the seed is not used
  double epsilon = 1, delta = 0;
  double dropout = 0;                  ///< share of devices that never send
  Assumptions assumptions;             ///< what the study states, where this differs from the fleet
  std::function<bool()> is_stopped{};  ///< asked from batch to batch; true ends the planning
  /// For a protocol that collects once: its world in place of `world`, of which devices and features are the same.
  std::optional<OnceWorldSpec> once;
  OnceTerms once_terms;  ///< of its study, except for the way
  /// For an everyday question: likewise.
  std::optional<EverydayOptions> everyday;

  /// The number of devices, wherever it is read.
  void set_devices(std::uint64_t devices) {
    world.devices = devices;
    if (once) once->devices = devices;
    if (everyday) everyday->devices = devices;
  }
  void set_epsilon(double nats) {
    epsilon = nats;
    if (everyday) everyday->epsilon = nats;
  }
};

}  // namespace sotto::analyzer

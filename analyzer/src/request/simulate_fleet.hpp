// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The fleets that the options of `sotto simulate` describe, which `sotto plan` takes as well.

#include <CLI/CLI.hpp>

#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

namespace sotto::analyzer::request {

/// Devices, rows, coefficients, noise.
void add_fleet(CLI::App& verb, SimulateOptions& o);
/// The laws of everyday answers.
void add_everyday(CLI::App& verb, SimulateOptions& o);

/// The protocol that collects once, if the options ask for one.
[[nodiscard]] const ProtocolFacts* once_protocol(const SimulateOptions& o);
/// The world that it is simulated on.
[[nodiscard]] OnceTask task_of(const ProtocolFacts& protocol, const SimulateOptions& o);
/// Refuses  simulate.bad_world, what once_terms() refuses.
[[nodiscard]] Result<FleetSource> once_source(const SimulateOptions& o, OnceTask task);
/// Refuses  simulate.bad_features, what the words of the options and check() refuse.
[[nodiscard]] Result<FleetSource> synthetic_source(const SimulateOptions& o);
/// Of an everyday question, without the rows of a file.
[[nodiscard]] EverydayOptions everyday_of(const SimulateOptions& o);

}  // namespace sotto::analyzer::request

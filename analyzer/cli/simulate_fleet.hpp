// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The fleets that the options of `sotto simulate` describe, which `sotto plan` takes as well.

#include <CLI/CLI.hpp>

#include "simulate.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

namespace sotto::cli {

/// Devices, rows, coefficients, noise.
void add_fleet(CLI::App& verb, SimulateOptions& o);
/// The laws of everyday answers.
void add_everyday(CLI::App& verb, SimulateOptions& o);
/// After parsing: what follows from the protocol where it was not written, and the names of the options that were.
void complete_options(const CLI::App& verb, SimulateOptions& o);
/// What --effects says takes the place of --dim, --nonzeros, --signal and --signs.
[[nodiscard]] analyzer::Result<SimulateOptions> with_effects(SimulateOptions o);

/// The protocol that collects once, if the options ask for one.
[[nodiscard]] const analyzer::ProtocolFacts* once_protocol(const SimulateOptions& o);
/// The world that it is simulated on.
[[nodiscard]] analyzer::OnceTask task_of(const analyzer::ProtocolFacts& protocol, const SimulateOptions& o);
/// Refuses  simulate.bad_world, what once_terms() refuses.
[[nodiscard]] analyzer::Result<analyzer::FleetSource> once_source(const SimulateOptions& o, analyzer::OnceTask task);
/// Refuses  simulate.bad_features, what the words of the options and check() refuse.
[[nodiscard]] analyzer::Result<analyzer::FleetSource> synthetic_source(const SimulateOptions& o);
/// Of an everyday question, without the rows of a file.
[[nodiscard]] analyzer::EverydayOptions everyday_of(const SimulateOptions& o);

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The verbs of a study on several machines; verb.hpp has the others.

#include "verb.hpp"

namespace sotto::cli {

void add_work(CLI::App& app, Action& action);
/// `sotto fleet up` and `sotto fleet size`, inside of `sotto fleet`.
CLI::App* add_fleet_size(CLI::App& fleet, Action& action);
CLI::App* add_fleet_up(CLI::App& fleet, Action& action);
/// `sotto bench fleet`.
void add_bench_fleet(CLI::App& bench, Action& action);

}  // namespace sotto::cli

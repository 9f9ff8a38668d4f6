// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <functional>

#include <CLI/CLI.hpp>

namespace sotto::cli {

/// Set by the verb that the command line names; run after parsing. Gives the exit code.
using Action = std::function<int()>;

void add_audit(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_decode(CLI::App& app, Action& action);
void add_design(CLI::App& app, Action& action);
void add_enroll(CLI::App& app, Action& action);
void add_estimate(CLI::App& app, Action& action);
void add_fit(CLI::App& app, Action& action);
void add_keygen(CLI::App& app, Action& action);
void add_log(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_sign(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_study(CLI::App& app, Action& action);

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How main() and the verbs of `sotto` fit together: each verb adds itself to the parser.

#include <functional>

#include <CLI/CLI.hpp>

namespace sotto::cli {

/// The action of the verb that the command line names, set while parsing and run afterwards. Returns the exit code.
using Action = std::function<int()>;

void add_audit(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_decode(CLI::App& app, Action& action);
void add_design(CLI::App& app, Action& action);
void add_enrol(CLI::App& app, Action& action);
void add_estimate(CLI::App& app, Action& action);
void add_fit(CLI::App& app, Action& action);
void add_fleet(CLI::App& app, Action& action);
void add_forget(CLI::App& app, Action& action);
void add_issue(CLI::App& app, Action& action);
void add_keygen(CLI::App& app, Action& action);
void add_log(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_predict(CLI::App& app, Action& action);
void add_report(CLI::App& app, Action& action);
void add_serve(CLI::App& app, Action& action);
void add_sign(CLI::App& app, Action& action);
void add_simulate(CLI::App& app, Action& action);
void add_study(CLI::App& app, Action& action);
void add_tokens(CLI::App& app, Action& action);

}  // namespace sotto::cli

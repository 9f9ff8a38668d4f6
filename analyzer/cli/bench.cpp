// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "bench.hpp"

#include <memory>

#include "cluster_verbs.hpp"

namespace sotto::cli {
namespace {

void add_table(CLI::App& bench, Action& action, const char* name, const char* what, int (*run)(const BenchOptions&)) {
  auto options = std::make_shared<BenchOptions>();
  CLI::App* table = bench.add_subcommand(name, what);
  table->add_option("--seconds", options->seconds, "measuring time for each number")
      ->check(CLI::Range(0.001, 600.0))
      ->capture_default_str();
  table->add_flag("--json", options->json, "one JSON object on stdout");
  table->callback([options, run, &action] { action = [options, run] { return run(*options); }; });
}

}  // namespace

void add_bench(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("bench", "the project's own performance tables");
  verb->require_subcommand(1);
  add_table(*verb, action, "randomizers", "reports made and decoded per second, compared with memcpy of the same bytes",
            bench_randomizers);
  add_table(*verb, action, "cascade",
            "a complete study at the default setting, compared with every user's Lasso in Eigen doubles",
            bench_cascade);
  add_table(*verb, action, "fit", "a pass of dp-iht over sparse rows, compared with two matrix products", bench_fit);
  add_table(*verb, action, "local", "local answers per second in fixed point, compared with Eigen doubles",
            bench_local);
  add_table(*verb, action, "solvers", "the solvers of protocols that collect once, compared with simple methods",
            bench_solvers);
  add_bench_columns(*verb, action);
  add_bench_data(*verb, action);
  add_bench_everyday(*verb, action);
  add_bench_fleet(*verb, action);
  add_bench_ldp_iht(*verb, action);
  add_bench_serve(*verb, action);
}

}  // namespace sotto::cli

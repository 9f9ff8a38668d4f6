// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "verb.hpp"

namespace sotto::cli {

struct BenchOptions {
  double seconds = 0.5;  ///< for each measured number
  bool json = false;
};

/// Each prints one table and gives the exit code.
int bench_cascade(const BenchOptions& options);
int bench_local(const BenchOptions& options);
int bench_randomizers(const BenchOptions& options);
int bench_solvers(const BenchOptions& options);

/// Adds `sotto bench data`, which has options of its own.
void add_bench_data(CLI::App& bench, Action& action);

}  // namespace sotto::cli

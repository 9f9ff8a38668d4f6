// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The benchmarks of `sotto bench`: one function for each table.

#include <stdexcept>
#include <utility>

#include "sotto/analyzer/result.hpp"
#include "verb.hpp"

namespace sotto::cli {

struct BenchOptions {
  double seconds = 0.5;  ///< measuring time for each number
  bool json = false;
};

/// The smallest number of timed samples of each item; the fastest one counts.
inline constexpr int k_samples_min = 3;

/// The value of a Result that comes from the benchmark's own input: a refusal is a mistake in the benchmark.
template <class T>
T must(analyzer::Result<T> result) {
  if (!result) throw std::logic_error(result.error().message());
  return std::move(result).value();
}

/// Each prints one table and returns the exit code.
int bench_cascade(const BenchOptions& options);
int bench_fit(const BenchOptions& options);
int bench_local(const BenchOptions& options);
int bench_randomizers(const BenchOptions& options);
int bench_solvers(const BenchOptions& options);

/// Adds `sotto bench data`, which has options of its own.
void add_bench_data(CLI::App& bench, Action& action);
/// Adds `sotto bench ldp-iht`, which has options of its own too.
void add_bench_ldp_iht(CLI::App& bench, Action& action);

/// Adds `sotto bench columns`, which has options of its own too.
void add_bench_columns(CLI::App& bench, Action& action);
/// Adds `sotto bench everyday`, which has options of its own too.
void add_bench_everyday(CLI::App& bench, Action& action);

/// Adds `sotto bench serve`, which has options of its own too.
void add_bench_serve(CLI::App& bench, Action& action);

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <stdexcept>
#include <utility>

#include "sotto/analyzer/result.hpp"
#include "verb.hpp"

namespace sotto::cli {

struct BenchOptions {
  double seconds = 0.5;  ///< for each measured number
  bool json = false;
};

/// Passes that are timed of each thing, at least: the fastest counts.
inline constexpr int k_samples_least = 3;

/// Of what a bench itself wrote: a refusal is a mistake in it.
template <class T>
T must(analyzer::Result<T> result) {
  if (!result) throw std::logic_error(result.error().message());
  return std::move(result).value();
}

/// Each prints one table and gives the exit code.
int bench_cascade(const BenchOptions& options);
int bench_fit(const BenchOptions& options);
int bench_local(const BenchOptions& options);
int bench_randomizers(const BenchOptions& options);
int bench_solvers(const BenchOptions& options);

/// Adds `sotto bench data`, which has options of its own.
void add_bench_data(CLI::App& bench, Action& action);
/// Adds `sotto bench ldp-iht`, likewise.
void add_bench_ldp_iht(CLI::App& bench, Action& action);

}  // namespace sotto::cli

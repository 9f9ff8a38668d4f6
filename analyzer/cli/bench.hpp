// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

namespace sotto::cli {

struct BenchOptions {
  double seconds = 0.5;  ///< for each measured number
  bool json = false;
};

/// Each prints one table and gives the exit code.
int bench_local(const BenchOptions& options);
int bench_randomizers(const BenchOptions& options);

}  // namespace sotto::cli

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Timing for the benchmarks: processor time, and the fastest of repeated samples.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <limits>

namespace sotto::cli {

/// Processor seconds of this process. A pass takes longer than the time slices of a busy machine, so that wall-clock
/// time would include other programs even in the fastest sample.
[[nodiscard]] inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Makes the compiler assume that this memory is read.
inline void keep(const void* memory) { __asm__ volatile("" : : "g"(memory) : "memory"); }

/// Runs `pass` repeatedly for about this long on the calling thread and returns the items per second of the fastest
/// sample, as the other samples include interruptions. A sample consists of as many passes as take half a millisecond,
/// so that reading the clock, which can cost microseconds, is negligible, and some samples are never interrupted.
template <class Pass>
[[nodiscard]] double rate_of(std::size_t items_per_pass, double seconds, Pass pass) {
  using Clock = std::chrono::steady_clock;
  const auto timed = [&pass](std::size_t passes) {
    const auto began = Clock::now();
    for (std::size_t i = 0; i < passes; ++i) pass();
    return std::chrono::duration<double>(Clock::now() - began).count();
  };
  constexpr double k_sample_seconds = 0.0005;
  std::size_t passes = 1;
  timed(1);  // warm-up: first touch of memory and caches
  while (timed(passes) < k_sample_seconds) passes *= 2;
  double fastest = std::numeric_limits<double>::infinity(), spent = 0;
  for (int samples = 0; spent < seconds || samples < 3; ++samples) {
    const double sample = timed(passes);
    fastest = std::min(fastest, sample);
    spent += sample;
  }
  return static_cast<double>(items_per_pass * passes) / fastest;
}

}  // namespace sotto::cli

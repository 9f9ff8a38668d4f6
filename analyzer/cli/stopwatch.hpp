// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <limits>

namespace sotto::cli {

/// Seconds that this process has run. A pass takes longer than the turns that a busy machine gives: its fastest sample
/// by a clock on the wall would still count other programs.
[[nodiscard]] inline double processor_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// Makes the compiler believe that somebody reads this memory.
inline void keep(const void* memory) { __asm__ volatile("" : : "g"(memory) : "memory"); }

/// Runs `pass` over and over for about this long on the calling thread and gives the items per second of the fastest
/// sample: what the others took longer, other programs took. A sample is as many passes as take half a millisecond, so
/// that reading the clock, which can cost microseconds, does not show, and some samples are never interrupted.
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
  timed(1);  // first touch of memory and caches
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

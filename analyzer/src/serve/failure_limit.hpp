// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <chrono>
#include <mutex>

// Slows down whoever tries tokens: secrets are too long to be guessed, and trying should not load the server either.
namespace sotto::analyzer {

class FailureLimit {
 public:
  /// Counts a failed proof. False where there were too many in this second. Safe to call from several threads.
  [[nodiscard]] bool note() {
    constexpr unsigned k_failures_each_second = 20;
    const std::lock_guard hold(lock_);
    const auto now = std::chrono::steady_clock::now();
    if (now - second_ > std::chrono::seconds(1)) {
      second_ = now;
      failures_ = 0;
    }
    return ++failures_ <= k_failures_each_second;
  }

 private:
  std::mutex lock_;  // guards what follows
  std::chrono::steady_clock::time_point second_{};
  unsigned failures_ = 0;
};

}  // namespace sotto::analyzer

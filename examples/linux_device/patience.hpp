// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <chrono>
#include <random>
#include <thread>

/// Pauses between tries: each about twice the one before. The time is drawn, so that a fleet does not come back all at once.
class Patience {
 public:
  explicit Patience(int tries) : left_(tries) {}

  /// Waits before another try, at least about `asked` seconds. False when there is none left.
  bool pause(double asked = 0) {
    if (--left_ <= 0) return false;
    const double share = 0.5 + std::uniform_real_distribution<>(0, 1)(draw_);
    std::this_thread::sleep_for(std::chrono::duration<double>(std::max(asked, next_) * share));
    next_ = std::min(next_ * 2, 60.0);
    return true;
  }

 private:
  std::random_device draw_;
  int left_;
  double next_ = 0.5;
};

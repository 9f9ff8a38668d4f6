// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "sotto/analyzer/mqtt/gateway.hpp"

// The fates of messages that are stored together.
namespace sotto::analyzer {

class FateBatch {
 public:
  explicit FateBatch(std::size_t count) : fates_(count, MqttFate::again), left_(count) {}

  void tell(std::size_t which, MqttFate fate) {
    const std::lock_guard hold(lock_);
    fates_[which] = fate;
    if (--left_ == 0) told_.notify_all();
  }
  /// Waits until every fate is told. False where that takes too long.
  [[nodiscard]] bool wait(std::chrono::seconds at_most) {
    std::unique_lock hold(lock_);
    return told_.wait_for(hold, at_most, [this] { return left_ == 0; });
  }
  [[nodiscard]] std::vector<MqttFate> fates() {
    const std::lock_guard hold(lock_);
    return fates_;
  }

 private:
  std::mutex lock_;
  std::condition_variable told_;
  std::vector<MqttFate> fates_;
  std::size_t left_;
};

}  // namespace sotto::analyzer

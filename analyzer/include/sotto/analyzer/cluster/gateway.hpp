// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Takes reports from devices and appends them to the log, without a key: whoever owns a gateway can read no report and
/// make none.

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "sotto/analyzer/log/log.hpp"

namespace sotto::analyzer {

/// Called once, when all reports of a batch are stored, or with the reason why some are not: then none may count as
/// stored, and the batch may be sent again.
using Stored = std::function<void(const std::optional<Error>& error)>;

/// Splits batches by the pseudonyms of their reports and appends the parts. What arrives while an append is under way
/// goes into the next one. Safe to call from several threads.
class Gateway {
 public:
  /// The log must outlive this object.
  Gateway(Log& log, std::uint32_t partitions);
  Gateway(const Gateway&) = delete;
  Gateway& operator=(const Gateway&) = delete;
  ~Gateway() { stop(); }

  /// Takes a batch of up to k_batch_max_bytes. False if too many wait: nothing was taken.
  [[nodiscard]] bool submit(std::span<const std::uint8_t> batch, Stored stored);
  /// Parts that wait for the log.
  [[nodiscard]] std::size_t waiting() const;
  [[nodiscard]] std::uint64_t appended() const noexcept { return appended_; }
  /// When the log acknowledged last, in seconds since 1970; 0: never.
  [[nodiscard]] std::int64_t last_append() const noexcept { return last_append_; }
  /// Appends what waits and ends.
  void stop();

 private:
  struct Whole {
    Whole(std::size_t parts, Stored call) : left(parts), stored(std::move(call)) {}
    std::mutex lock;
    std::size_t left;
    std::optional<Error> error;
    Stored stored;
  };
  struct Part {
    std::vector<std::uint8_t> batch;
    std::shared_ptr<Whole> whole;
  };
  void work(std::uint32_t thread);
  void append(std::uint32_t partition, const std::vector<Part>& parts);

  Log& log_;
  const std::uint32_t partitions_, threads_;
  mutable std::mutex lock_;  // guards what follows
  std::condition_variable woken_;
  std::vector<std::deque<Part>> pending_;  // by partition
  std::size_t pending_bytes_ = 0, pending_parts_ = 0;
  bool stopping_ = false;
  std::atomic<std::uint64_t> appended_{0};
  std::atomic<std::int64_t> last_append_{0};
  std::vector<std::thread> workers_;
};

}  // namespace sotto::analyzer

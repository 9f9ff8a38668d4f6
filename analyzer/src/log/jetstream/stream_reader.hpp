// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <mutex>
#include <string>
#include <vector>

#include "nats_handles.hpp"
#include "sotto/analyzer/log/log.hpp"

// Reads a stream in order, by a consumer that the broker may forget at any time: it is made again where it is missed.
namespace sotto::analyzer {

class StreamReader {
 public:
  StreamReader(jsCtx* context, std::string stream, std::string subject)
      : context_(context), stream_(std::move(stream)), subject_(std::move(subject)) {}
  /// As Log::read().
  [[nodiscard]] Result<std::vector<LogEntry>> read(std::uint64_t from, std::chrono::milliseconds wait);

 private:
  [[nodiscard]] bool subscribe(std::uint64_t from);
  void drop() { subscription_.reset(); }
  [[nodiscard]] Result<Done> look_after_silence(std::uint64_t from);

  jsCtx* context_;
  std::string stream_, subject_;
  std::mutex lock_;  // guards what follows
  NatsSubscription subscription_;
  std::uint64_t next_ = 0;  ///< what the consumer gives next
  std::chrono::steady_clock::time_point heard_{};
};

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A partitioned log that keeps what it acknowledged, and small values that are written once. Everything else of a
/// cluster follows from it by replay. Four calls, so that another engine is one class.

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// An entry of a partition. Sequences begin at 1 and have no gaps.
struct LogEntry {
  std::uint64_t sequence = 0;
  std::vector<std::uint8_t> bytes;
};

/// Safe to call from several threads.
/// Refuses   every call: log.unreachable: no answer in time; whether an append was stored is then unknown, and the same
///           entry may be appended again. log.failed: the engine says something else.
class Log {
 public:
  Log() = default;
  Log(const Log&) = delete;
  Log& operator=(const Log&) = delete;
  virtual ~Log() = default;

  /// Appends an entry; it is stored when this returns. An entry with the same `id` that was appended lately may be kept
  /// in place of a second one: this saves space, and nobody may rely on it.
  /// Refuses   log.full: nothing was stored.
  [[nodiscard]] virtual Result<std::uint64_t> append(std::uint32_t partition, std::span<const std::uint8_t> bytes,
                                                     std::string_view id) = 0;
  /// Some entries from sequence `from` on, without a gap; none if there is none within `wait`.
  /// Refuses   log.truncated: the log no longer has this entry.
  [[nodiscard]] virtual Result<std::vector<LogEntry>> read(std::uint32_t partition, std::uint64_t from,
                                                           std::chrono::milliseconds wait) = 0;
  /// Writes a value of up to k_log_value_max bytes, unless there is one under this key. Returns the one that stays: the
  /// first. A key has letters, digits, dots and dashes.
  [[nodiscard]] virtual Result<std::vector<std::uint8_t>> put_once(std::string_view key,
                                                                   std::span<const std::uint8_t> value) = 0;
  [[nodiscard]] virtual Result<std::optional<std::vector<std::uint8_t>>> get(std::string_view key) = 0;
};

/// The largest value, and the largest entry.
inline constexpr std::size_t k_log_value_max = 65536, k_log_entry_max = 66000;

}  // namespace sotto::analyzer

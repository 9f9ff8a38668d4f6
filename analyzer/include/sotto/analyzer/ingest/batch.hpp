// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The format in which reports travel together: each report is preceded by its length.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sotto::analyzer {

/// The largest batch in bytes.
inline constexpr std::size_t k_batch_max_bytes = 65536;

/// Reads a sequence of reports, each preceded by its length (u16). The concatenation of batches is a batch.
class BatchReader {
 public:
  explicit BatchReader(std::span<const std::uint8_t> bytes) noexcept : left_(bytes) {}

  /// The next report; empty at the end, and also where bytes are missing, in which case torn() is true.
  [[nodiscard]] std::optional<std::span<const std::uint8_t>> next() noexcept;
  [[nodiscard]] bool torn() const noexcept { return torn_; }

 private:
  std::span<const std::uint8_t> left_;
  bool torn_ = false;
};

/// Appends a report of at most 65535 bytes.
void append_report(std::vector<std::uint8_t>& batch, std::span<const std::uint8_t> report);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace sotto::analyzer {

/// The most that travels in one piece.
inline constexpr std::size_t k_batch_max_bytes = 65536;

/// Reads reports that stand one after the other, each behind its length (u16). Batches behind each other are a batch.
class BatchReader {
 public:
  explicit BatchReader(std::span<const std::uint8_t> bytes) noexcept : left_(bytes) {}

  /// The next report; nothing at the end, and nothing where bytes are missing: torn() tells.
  [[nodiscard]] std::optional<std::span<const std::uint8_t>> next() noexcept;
  [[nodiscard]] bool torn() const noexcept { return torn_; }

 private:
  std::span<const std::uint8_t> left_;
  bool torn_ = false;
};

/// Adds a report of at most 65535 bytes.
void append_report(std::vector<std::uint8_t>& batch, std::span<const std::uint8_t> report);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The accepted readings of a batch as bytes, so that a store's index is loaded without opening a report again.

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "sotto/analyzer/ingest/duplicate_index.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

/// Writes readings: groups of equal round, slot and payload size, each with a head of 12 bytes (round u16, whether its
/// slot is the round u16, payload bytes u32, readings u32), then 12 bytes a reading (pseudonym u64, number u32) and its
/// payload.
class ReadingWriter {
 public:
  void add(std::uint16_t slot, const Reading& reading);
  /// Sorts each group by pseudonym: the order of insertion is no longer seen.
  void forget_order();
  [[nodiscard]] const std::vector<std::uint8_t>& bytes() const noexcept { return bytes_; }
  void clear() noexcept {
    bytes_.clear();
    readings_ = 0;
  }

 private:
  std::vector<std::uint8_t> bytes_;
  std::size_t head_ = 0;        // where the last group begins
  std::uint32_t readings_ = 0;  // in the last group
};

/// Visits the readings of a blob with their slots.
/// Refuses   store.damaged: the bytes do not end where a reading ends.
[[nodiscard]] Result<Done> each_stored_reading(std::span<const std::uint8_t> blob,
                                               const std::function<void(std::uint16_t slot, const Reading&)>& visit);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the entries of a partition say: reports, and the markers between which a round is open.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace sotto::analyzer {

enum class EntryKind : std::uint8_t {
  reports = 1,  ///< a batch, behind 8 bytes that were drawn, so that two requests with the same bytes are two entries
  open = 2,     ///< a round is open from here on: its bytes
  close = 3,    ///< the sum of a round is that of the entries before this one
  end = 4,      ///< the study is over
};

struct PartitionEntry {
  EntryKind kind = EntryKind::reports;
  std::uint16_t round = 0;
  std::uint32_t attempt = 0;
  std::vector<std::uint8_t> bytes;  ///< batch or round
};

[[nodiscard]] std::vector<std::uint8_t> encode_entry(const PartitionEntry& entry);
/// Empty if the bytes are no entry.
[[nodiscard]] std::optional<PartitionEntry> decode_entry(std::span<const std::uint8_t> bytes);
/// An id under which the same bytes are the same entry.
[[nodiscard]] std::string entry_id(std::span<const std::uint8_t> bytes);

/// The partition of a pseudonym, for as long as the study runs.
[[nodiscard]] std::uint32_t partition_of(std::uint64_t pseudonym, std::uint32_t partitions);

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Detects repeated and contradicting reports of one pseudonym, so that a device counts at most once. The collector
/// asks it about every authentic report.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sotto::analyzer {

/// An accepted report: pseudonym, round, and the number that the randomizer produced. For a randomizer that produces
/// several numbers: their payload, and in place of the number the first 32 bits of its SHA-256, by which contradicting
/// answers are distinguished.
struct Reading {
  std::uint16_t round = 0;
  std::uint64_t pseudonym = 0;
  std::uint32_t number = 0;
  std::vector<std::uint8_t> payload = {};  ///< empty if the report is one number
  friend bool operator==(const Reading&, const Reading&) = default;
};

/// What the index knows about a reading that is inserted.
enum class Seen : std::uint8_t {
  first,         ///< the only reading so far: it counts
  again,         ///< the same reading was inserted before
  contradicted,  ///< a different reading was inserted before; none counts from now on
};

/// The number of contradicting answers of one pseudonym that are remembered; none of them counts. Beyond it, a repeated
/// answer is no longer recognised as a repetition.
inline constexpr std::size_t k_others_max = 8;

/// The rule: the same pseudonym with the same bytes counts once; with different bytes it does not count at all, and a
/// reading that counted before is withdrawn. The state does not depend on the order of insertion.
class DuplicateIndex {
 public:
  DuplicateIndex() = default;
  DuplicateIndex(const DuplicateIndex&) = delete;
  DuplicateIndex& operator=(const DuplicateIndex&) = delete;
  virtual ~DuplicateIndex() = default;

  struct Finding {
    Seen seen = Seen::first;
    std::optional<Reading> taken_back;  ///< the reading that counted until now; set once for each pseudonym and slot
  };
  /// Inserts a reading. Readings of one pseudonym in one slot exclude each other. Atomic with respect to other threads.
  [[nodiscard]] virtual Finding put(std::uint16_t slot, const Reading& reading) = 0;
  /// Visits every reading of a round that counts, by rising pseudonym. No thread may insert at the same time.
  virtual void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const = 0;
  /// The round is closed and its sum told: a later contradiction does not count, and no longer withdraws a reading of it.
  virtual void freeze(std::uint16_t round) = 0;
};

/// An index in memory: about 80 bytes for each report, plus the payload of reports with several numbers; for files of
/// up to some ten million reports. A collector that runs for weeks uses the index of a store, StoreIndex.
class MemoryIndex final : public DuplicateIndex {
 public:
  [[nodiscard]] Finding put(std::uint16_t slot, const Reading& reading) override;
  void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const override;
  void freeze(std::uint16_t round) override;

 private:
  struct Name {
    std::uint64_t pseudonym;
    std::uint16_t slot;
    friend bool operator==(const Name&, const Name&) = default;
  };
  struct NameHash {
    [[nodiscard]] std::size_t operator()(const Name& name) const noexcept;
  };
  struct Answer {
    std::uint16_t round;
    std::uint32_t number;
    std::vector<std::uint8_t> payload;
    friend bool operator==(const Answer&, const Answer&) = default;
  };
  struct Entry {
    Answer first;
    std::vector<Answer> others;  ///< answers that contradict the first; if empty, the first counts
  };
  struct Shard {
    mutable std::mutex lock;
    std::unordered_map<Name, Entry, NameHash> entries;
  };
  std::array<Shard, 64> shards_;
  std::array<std::atomic<bool>, 65536> frozen_{};  ///< by round
};

}  // namespace sotto::analyzer

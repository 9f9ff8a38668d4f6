// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <unordered_map>
#include <vector>

namespace sotto::analyzer {

/// An accepted report: who answered which round, and the number that the randomizer gave. Of a randomizer that gives
/// more than one number: the payload, and as the number the first 32 bits of its SHA-256, by which contradicting
/// answers are remembered.
struct Reading {
  std::uint16_t round = 0;
  std::uint64_t pseudonym = 0;
  std::uint32_t number = 0;
  std::vector<std::uint8_t> payload = {};  ///< empty for one number
  friend bool operator==(const Reading&, const Reading&) = default;
};

/// What the index knows about a reading that is put in.
enum class Seen : std::uint8_t {
  first,         ///< the only one so far: it counts
  again,         ///< this very reading was put in before
  contradicted,  ///< another one was put in before; neither counts from now on
};

/// Beyond so many different answers of one pseudonym, of which none counts, it is no longer remembered which came
/// before.
inline constexpr std::size_t k_others_max = 8;

/// Who may count how often: same pseudonym and same bytes count once; same pseudonym and different bytes count not at
/// all, and one that counted before is taken back. What is remembered does not depend on the order.
class DuplicateIndex {
 public:
  DuplicateIndex() = default;
  DuplicateIndex(const DuplicateIndex&) = delete;
  DuplicateIndex& operator=(const DuplicateIndex&) = delete;
  virtual ~DuplicateIndex() = default;

  struct Finding {
    Seen seen = Seen::first;
    std::optional<Reading> taken_back;  ///< counted until now; set once for each pseudonym and slot
  };
  /// Readings of one pseudonym and slot exclude each other. One step for all threads.
  [[nodiscard]] virtual Finding put(std::uint16_t slot, const Reading& reading) = 0;
  /// Every reading that counts, those of one round by rising pseudonym. Nobody may put at the same time.
  virtual void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const = 0;
};

/// Keeps everything in memory, some 80 bytes and the payload of more than one number for each report: for files of up
/// to some ten million. A collector that runs for weeks needs one on disk: StoreIndex.
class MemoryIndex final : public DuplicateIndex {
 public:
  [[nodiscard]] Finding put(std::uint16_t slot, const Reading& reading) override;
  void each(std::uint16_t round, const std::function<void(const Reading&)>& visit) const override;

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
    std::vector<Answer> others;  ///< that contradict the first; empty: it counts
  };
  struct Shard {
    mutable std::mutex lock;
    std::unordered_map<Name, Entry, NameHash> entries;
  };
  std::array<Shard, 64> shards_;
};

}  // namespace sotto::analyzer

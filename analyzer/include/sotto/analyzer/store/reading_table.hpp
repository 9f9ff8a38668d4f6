// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The readings of a run in memory, 16 bytes each, by which repeated and contradicting reports are recognised.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace sotto::analyzer {

/// A reading without its payload.
struct HeldReading {
  enum class State : std::uint8_t { none, counts, contradicted };
  std::uint64_t pseudonym = 0;
  std::uint32_t number = 0;
  std::uint16_t round = 0;
  bool by_round = false;  ///< its slot is the round, and not 0
  State state = State::none;

  [[nodiscard]] std::uint16_t slot() const noexcept { return by_round ? round : std::uint16_t{0}; }
};
static_assert(sizeof(HeldReading) == 16);

/// A hash table of readings by slot and pseudonym. It grows in 256 parts, one after the other, so that growing needs
/// little memory beside it: 20 to 30 bytes a reading in all.
class ReadingTable {
 public:
  ReadingTable();

  /// The reading of this pseudonym in this slot; nullptr if there is none. Valid until the table changes.
  [[nodiscard]] HeldReading* find(std::uint16_t slot, std::uint64_t pseudonym) noexcept;
  /// Inserts a reading whose pseudonym has none in its slot.
  void insert(const HeldReading& reading);
  /// Removes a reading, if it is there.
  void erase(std::uint16_t slot, std::uint64_t pseudonym) noexcept;
  void clear() noexcept;

  template <class Visit>
  void each(const Visit& visit) const {
    for (const Part& part : parts_) {
      for (const HeldReading& reading : part.places) {
        if (reading.state != HeldReading::State::none) visit(reading);
      }
    }
  }
  [[nodiscard]] std::size_t size() const noexcept;
  /// Memory of the table.
  [[nodiscard]] std::size_t bytes() const noexcept;

 private:
  struct Part {
    std::vector<HeldReading> places;  // open addressing, the next free place
    std::size_t used = 0;
  };
  [[nodiscard]] std::uint64_t hash(std::uint16_t slot, std::uint64_t pseudonym) const noexcept;
  static std::size_t home(const Part& part, std::uint64_t hash) noexcept;
  void grow(Part& part);

  std::uint64_t secret_;  // senders that choose their pseudonyms cannot choose their places
  std::array<Part, 256> parts_;
};

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <cstdint>

#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// What the rows of a table come to: the sum of their digests, as four numbers of 64 bits. It is the same in every
/// order, moves with every row that is put in, changed or taken away, and after any other change it is another one. It
/// is there to find what a disk or a memory spoiled: who can write the store can write the seals, too.
struct SealSum {
  std::array<std::uint64_t, 4> of{};

  void put(const Digest& row) noexcept { move(row, false); }
  void take(const Digest& row) noexcept { move(row, true); }
  void add(const SealSum& other) noexcept {
    for (std::size_t i = 0; i < of.size(); ++i) of[i] += other.of[i];
  }
  friend bool operator==(const SealSum&, const SealSum&) = default;

 private:
  void move(const Digest& row, bool away) noexcept {
    for (std::size_t i = 0; i < of.size(); ++i) {
      const std::uint64_t part = load_u32(&row[8 * i]) | std::uint64_t{load_u32(&row[8 * i + 4])} << 32;
      of[i] += away ? ~part + 1 : part;
    }
  }
};

}  // namespace sotto::analyzer

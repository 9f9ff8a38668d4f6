// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// An order-independent checksum of database rows, by which the store detects damage.

#include <array>
#include <cstdint>

#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {

/// The checksum (seal) of a table: the sum of its rows' digests, as four numbers of 64 bits. It does not depend on the
/// order of rows and is updated with every row that is inserted, changed or removed; any other change of the rows makes
/// them disagree with it. It detects accidental damage of disk or memory, not an attacker, who could rewrite the seals
/// too.
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

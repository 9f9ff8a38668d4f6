// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The first member of a ledger and of a session: whether a call is in progress, and how often the ledger was opened.
/// The C API reads it from the caller's memory before it constructs an object there.

#include <cstdint>

namespace sotto {

/// Lets the C API detect a hook that calls back into the library, and sessions of an earlier ledger in the same memory.
/// Memory of a first object may hold any bytes: `life` only has to change, and `busy` is a 32-bit word that arbitrary
/// bytes match with odds of 2^-32, which causes a false refusal and nothing worse.
struct Occupancy {
  std::uint32_t busy = 0;
  std::uint32_t life = 0;  ///< counts openings of a ledger; a session keeps its ledger's value

  static constexpr std::uint32_t k_busy = 0x79737562u;  // "busy"
  [[nodiscard]] constexpr bool is_busy() const noexcept { return busy != 0; }
};

/// Reads the member from memory that may not hold such an object yet.
[[nodiscard]] inline Occupancy found_in(const void* memory) noexcept {
  Occupancy found;
  __builtin_memcpy(&found, memory, sizeof found);
  if (found.busy != Occupancy::k_busy) found.busy = 0;
  return found;
}

}  // namespace sotto

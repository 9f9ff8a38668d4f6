// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The first member of a ledger and of a session: whether a call is in progress, and how often the ledger was opened.
/// The C API reads it from the caller's memory before it constructs an object there.

#include <cstdint>

namespace sotto {

/// Lets the C API detect a hook that calls back into the library, and sessions of an earlier ledger in the same memory.
/// Memory of a first object may hold any bytes: `life` only has to change, and `busy` holds its own address, which
/// arbitrary bytes match with probability 2^-32 or less; the only consequence would be a false refusal.
struct [[gnu::may_alias]] Occupancy {
  const void* busy = nullptr;  ///< this object while a call is in progress
  std::uint32_t life = 0;      ///< counts openings of a ledger; a session keeps its ledger's value

  void begin() noexcept { busy = this; }
  void end() noexcept { busy = nullptr; }
  [[nodiscard]] constexpr bool is_busy() const noexcept { return busy != nullptr; }
};

/// Reads the member from memory that may not hold such an object yet.
[[nodiscard]] inline Occupancy found_in(const void* memory) noexcept {
  Occupancy found = *static_cast<const Occupancy*>(memory);
  if (found.busy != memory) found.end();
  return found;
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// Stands first in a ledger and in a session, so that the C API can ask the memory before it makes a new object there: is a call
/// in progress (a hook called back), and how many lives were there? The memory of a first object may be anything. A life may
/// begin anywhere, it only has to change; and that a call is in progress is said by a word that memory of another use holds once
/// in 2^32, which would be refused, not believed.
struct Occupancy {
  std::uint32_t busy = 0;
  std::uint32_t life = 0;  ///< of a ledger: how often it was opened. Of a session: the ledger's when it was opened.

  static constexpr std::uint32_t k_busy = 0x79737562u;  // "busy"
  [[nodiscard]] constexpr bool is_busy() const noexcept { return busy != 0; }
};

/// What stands first in memory that may hold no such object yet.
[[nodiscard]] inline Occupancy found_in(const void* memory) noexcept {
  Occupancy found;
  __builtin_memcpy(&found, memory, sizeof found);
  if (found.busy != Occupancy::k_busy) found.busy = 0;
  return found;
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The hook with which a session asks for the time, so that a round is answered between its opening and its closing
/// only.

#include <cstdint>

#include "sotto/status.hpp"
#include "sotto/wire/round.hpp"

namespace sotto {

struct Clock;
/// Whether the round is open now. A round without times always is.
/// Refuses  round_not_open, round_closed, clock_not_set; bad_field (the round closes before it opens).
Status check_clock(const Clock& clock, const Round& round) noexcept;

/// The time, for devices that know it.
struct [[gnu::may_alias]] Clock {
  void* context = nullptr;
  bool (*now)(void* context, std::uint64_t* seconds) = nullptr;  ///< since 1970-01-01 00:00 UTC; false: not known
  /// The library's part. It is a pointer so that a firmware without a clock does not link that code.
  Status (*check)(const Clock& clock, const Round& round) noexcept = check_clock;
};

}  // namespace sotto

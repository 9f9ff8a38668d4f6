// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// When the rounds of a study are open, from the table [rounds] of its file.

#include <cstdint>

#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// Rounds follow each other without a gap: round k opens at opens + (k - 1) length. Without a length rounds have no
/// times.
struct RoundSchedule {
  std::uint64_t opens = 0;   ///< of round 1, in seconds since 1970-01-01 00:00 UTC
  std::uint64_t length = 0;  ///< of each round, in seconds

  /// Zeros: no times.
  [[nodiscard]] RoundTimes of(std::uint16_t number) const noexcept {
    if (length == 0) return {};
    const std::uint64_t from = opens + (number - 1u) * length;
    return {from, from + length};
  }
};

}  // namespace sotto::analyzer

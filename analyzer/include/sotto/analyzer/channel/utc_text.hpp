// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The times of rounds in words.

#include <cstdint>
#include <string>

#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// A moment in UTC, as in "2027-01-04 06:00:00 UTC".
[[nodiscard]] std::string utc_text(std::uint64_t seconds);
/// "2027-01-04 06:00:00 UTC to 2027-01-05 06:00:00 UTC"
[[nodiscard]] std::string times_text(const RoundTimes& times);

}  // namespace sotto::analyzer

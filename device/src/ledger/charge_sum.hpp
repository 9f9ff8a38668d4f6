// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/ledger/study_entry.hpp"

namespace sotto {

/// Adds both parts with saturation.
void add(Charge& sum, const Charge& charge) noexcept;
/// Would the sum exceed the cap? Exact: a sum that overflows exceeds every cap.
[[nodiscard]] bool exceeds(const std::uint64_t& spent, std::uint64_t more, const std::uint64_t& cap) noexcept;
[[nodiscard]] bool exceeds(const Charge& spent, const Charge& charge, const Charge& cap) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/arithmetic/largest.hpp"
#include "sotto/coins/samplers.hpp"

namespace sotto {

/// The report of a channel whose k inside outcomes belong to the k largest keys. Outcome i belongs to key i; of signed numbers 2i
/// to number i if it is not negative, 2i + 1 if it is. The draw's rank counts the outcomes on its side, in order.
[[nodiscard]] std::uint32_t closest_report(const Keys& keys, const TwoLevel& channel,
                                           const TwoLevelDraw& draw) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The last step of randomizers that report one of the k closest codewords.

#include <cstdint>

#include "sotto/arithmetic/largest.hpp"
#include "sotto/coins/samplers.hpp"

namespace sotto {

/// The report of a two-level channel whose k inside outcomes belong to the k largest keys. Outcome i belongs to key i;
/// for signed keys there are two outcomes each, 2i for a key that is not negative and 2i + 1 for a negative one. The
/// rank of the draw counts the inside, or outside, outcomes in order. Constant time.
[[nodiscard]] std::uint32_t closest_report(const Keys& keys, const TwoLevel& channel,
                                           const TwoLevelDraw& draw) noexcept;

}  // namespace sotto

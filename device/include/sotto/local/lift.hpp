// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Maps a vector in a ball to a unit vector with one more coordinate, the input of direction randomizers.

#include <cstdint>
#include <span>

#include "sotto/fixed.hpp"

namespace sotto {

/// Maps a vector g in the ball of a public radius R to the unit vector (g/R, sqrt(1 - |g|^2/R^2)), which has one more
/// coordinate, as Q15. The analyzer drops the last coordinate and multiplies by R. A vector outside the ball is first
/// scaled to its surface, so that only its direction counts.
///
/// The first n coordinates are 2^15 g_j/max(R, |g|), truncated toward zero (+1.0 becomes 32767); because the norm is
/// rounded up, they are at most 2 + sqrt(n)*2^-7 units nearer to zero, for R at least 2^-9. The last is floor(sqrt(2^30
/// - S)), S the sum of squares of the others, at most 32767: it takes up what truncation removes. The sum of all
/// squares is at most 2^30.
/// Cost     8 coordinates: 2.2 k instructions on Cortex-M4, 4.3 k on Cortex-M0.
/// Takes    at most 65535 coordinates, a radius from 1 to 2^31 - 1, and a `unit` of one coordinate more than g_q24.
void lift(const std::span<const std::int32_t>& g_q24, std::uint32_t radius_q24, Q15* unit) noexcept;

}  // namespace sotto

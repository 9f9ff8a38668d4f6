// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Clips integer vectors of a noise grid to an l2 ball.

#include <cstdint>
#include <span>

namespace sotto {

/// Scales v into the l2 ball of the given radius: coordinates are multiplied by radius/|v| and truncated toward zero,
/// so they only shrink and the sum of squares is at most radius^2 in integers. A vector inside the ball is unchanged.
/// |v_j| < 2^24, at most 4096 coordinates, radius < 2^15.
/// Privacy  the bound holds after rounding, so the sensitivity is 2*radius: device/proofs/gaussian.md, step 1.
void norm_clip(const std::span<std::int32_t>& v, std::uint32_t radius) noexcept;

}  // namespace sotto

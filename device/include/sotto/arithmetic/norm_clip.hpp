// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

namespace sotto {

/// Scales v into the l2 ball of the given radius: coordinates are multiplied by radius/|v| and truncated toward zero, so they
/// only shrink and the sum of squares is at most radius^2 in integers. |v_j| < 2^24, at most 4096 coordinates, radius < 2^15.
/// Privacy  proven after rounding, so that 2*radius is the sensitivity: device/proofs/gaussian.md, step 1.
void norm_clip(const std::span<std::int32_t>& v, std::uint32_t radius) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Norm and l2 clipping of vectors of any int32, such as estimates in Q24.

#include <cstdint>
#include <span>

namespace sotto {

/// An upper bound of the l2 norm of v: at least |v|, and at most 1 + sqrt(n)*2^-22 times it, plus one. Squares are
/// shifted, rounding up, until their sum fits in 64 bits; the integer root is rounded up. Any int32, at most 65535 of
/// them.
[[nodiscard]] std::uint64_t norm_ceil(const std::span<const std::int32_t>& v) noexcept;

/// Scales v into the l2 ball of the given radius (below 2^31, in the units of v): coordinates are multiplied by at most
/// radius/|v| and truncated toward zero (at most 2 units, and 2^-18 of their size), so they only shrink and the sum of
/// squares is at most radius^2 in integers. Defined for any int32; norm_clip() is the cheaper version for the small
/// integers of a noise grid.
void norm_clip_q24(const std::span<std::int32_t>& v, std::uint32_t radius_q24) noexcept;

}  // namespace sotto

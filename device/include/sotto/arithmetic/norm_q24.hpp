// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

namespace sotto {

/// At least the l2 norm of v, and at most 1 + sqrt(n)*2^-22 times it, plus one: integer root rounded up, of squares
/// that were shifted, rounding up, until they fit. Any int32, at most 65535 of them.
[[nodiscard]] std::uint64_t norm_ceil(const std::span<const std::int32_t>& v) noexcept;

/// Scales v into the l2 ball of the given radius (below 2^31, in v's units): coordinates are multiplied by at most
/// radius/|v| and truncated toward zero (at most 2 units nearer to it, and 2^-18 of their size), so they only shrink
/// and the sum of squares is at most radius^2 in integers. For the whole range of int32, where norm_clip() serves the
/// integers of a noise grid.
void norm_clip_q24(const std::span<std::int32_t>& v, std::uint32_t radius_q24) noexcept;

}  // namespace sotto

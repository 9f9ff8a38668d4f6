// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

// A number times a public factor: what norms, means, grids and projections end with.
namespace sotto {

/// What happens to the bits that a magnitude loses.
enum class Rounding : std::uint8_t { toward_zero, nearest };  // a half away from zero

/// floor(n * 2^shift / d), shift at most 62, the product below 2^64 and 0 < d < 2^63: a public factor.
[[nodiscard]] std::uint64_t shifted_quotient(std::uint32_t n, std::uint32_t shift, std::uint64_t d) noexcept;

/// v * factor / 2^shift, factor at most 2^31, 1 <= shift <= 62; saturates at 2^31 - 1. Without a branch.
[[nodiscard]] std::int32_t scale_one(std::int32_t v, std::uint32_t factor, std::uint32_t shift,
                                     Rounding rounding) noexcept;

/// The same for every number.
void scale_all(const std::span<std::int32_t>& v, std::uint32_t factor, std::uint32_t shift, Rounding rounding) noexcept;

/// Every number times n/d, 0 < n < 2^31, 0 < d < 2^40, of which 30 or 31 bits are kept, rounded down: fewer for d of more than 32 bits.
void scale_by_ratio(const std::span<std::int32_t>& v, std::uint32_t n, std::uint64_t d, Rounding rounding) noexcept;

}  // namespace sotto

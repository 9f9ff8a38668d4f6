// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Multiplication of private numbers by a public factor, without branches: the last step of norms, means, grids and
/// projections.

#include <cstdint>
#include <span>

namespace sotto {

/// How a magnitude is rounded; with `nearest` a half is rounded away from zero.
enum class Rounding : std::uint8_t { toward_zero, nearest };

/// floor(n * 2^shift / d), a public factor for the functions below; shift <= 62, n * 2^shift < 2^64, 0 < d < 2^63.
[[nodiscard]] std::uint64_t shifted_quotient(std::uint32_t n, std::uint32_t shift, std::uint64_t d) noexcept;

/// floor(n / d) for 0 < d < 2^16, by three divisions of 32 bits.
[[nodiscard]] std::uint64_t divide_short(std::uint64_t n, std::uint32_t d) noexcept;

/// v * factor / 2^shift, factor <= 2^31, 1 <= shift <= 62; saturates at +-(2^31 - 1). Constant time.
[[nodiscard]] std::int32_t scale_one(std::int32_t v, std::uint32_t factor, std::uint32_t shift,
                                     Rounding rounding) noexcept;

/// scale_one() of every number.
void scale_all(const std::span<std::int32_t>& v, std::uint32_t factor, std::uint32_t shift, Rounding rounding) noexcept;

/// Multiplies every number by n/d, 0 < n < 2^31, 0 < d < 2^40. The factor is rounded down to 30 or 31 significant bits,
/// to fewer if d has more than 32 bits.
void scale_by_ratio(const std::span<std::int32_t>& v, std::uint32_t n, std::uint64_t d, Rounding rounding) noexcept;

}  // namespace sotto

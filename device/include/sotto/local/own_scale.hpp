// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The device's own centre and scale of a column.
///
/// In own units a reading x of a column becomes (x - mean) / deviation, both taken over the rows that hold a reading,
/// clipped at +-32767; with the usual unit of 8192 that is four standard deviations. All of it is computed from the
/// integers n x - (sum of x), divided by their greatest common divisor. An affine change of the column multiplies both
/// by the same number, so the result is the same to the bit, and so is the report.

#include <cstdint>

#include "sotto/local/samples.hpp"

namespace sotto {

/// The sums of a column over the rows that hold a reading.
struct ReadingSums {
  std::uint32_t held = 0;    ///< n, at most k_rows_max
  std::int32_t sum = 0;      ///< of x, at most 2^25
  std::uint64_t square = 0;  ///< of x^2, at most 2^40
  /// n^2 times the variance: n * square - sum^2, at most 2^50.
  [[nodiscard]] std::uint64_t spread() const noexcept;
};

/// The greatest common divisor of the differences between readings of a column, below 2^16; 1 if there is none.
[[nodiscard]] std::uint32_t common_step(const Samples& samples, std::uint32_t column) noexcept;

/// floor(n / d) for 0 < d < 2^16.
[[nodiscard]] std::uint64_t divide_short(std::uint64_t n, std::uint32_t d) noexcept;

/// v / d where nothing is left over, 0 < d. By magnitudes: signed division is another routine in flash.
[[nodiscard]] std::int32_t divide_exact(std::int32_t v, std::uint32_t d) noexcept;

/// A square root of 31 significant bits: floor(sqrt(v) * 2^exponent), 2^30 <= root < 2^31; 0 < v < 2^62.
struct NormalRoot {
  std::uint32_t root, exponent;
};
[[nodiscard]] NormalRoot normal_root(std::uint64_t v) noexcept;

/// How the readings of one column become Q15: factor * (n x - sum) / step / 2^shift, rounded to nearest, saturating.
struct OwnScale {
  RowUnits units = RowUnits::stated;
  std::uint32_t held = 0;
  std::int32_t sum = 0;
  std::uint32_t step = 1;
  std::uint32_t factor = 0;  ///< 0: the column is constant on this device
  std::uint32_t shift = 1;
};
/// Reads the column twice in own units, once in centred ones, and not at all in stated ones.
[[nodiscard]] OwnScale own_scale(const Samples& samples, std::uint32_t column) noexcept;
[[nodiscard]] Q15 own_value(const OwnScale& scale, Q15 reading) noexcept;

}  // namespace sotto

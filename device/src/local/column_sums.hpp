// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/arm/column_sums.hpp"
#include "sotto/local/samples.hpp"
#include "sotto/local/screen.hpp"

// The sums of a column with the target or a residual, for functions that pass over all columns.
namespace sotto {

/// The target, or the residual (not shorter) rounded to the 15 bits below its largest entry.
void fill_weights(const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                  const std::span<Q15>& weight) noexcept;

/// Adds rows of one column, `stride` numbers apart, one for each weight. Sum and extremes are needed only of readings that
/// the device centres.
#if defined(__ARM_FEATURE_DSP)
using arm::rows_within;
[[gnu::always_inline]] inline void add_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight, bool,
                                            ColumnSums& sums) noexcept {
  arm::add_own_rows(x, stride, weight.data(), static_cast<std::uint32_t>(weight.size()), sums);
}
#else
using portable::rows_within;
void add_rows(const Q15* x, std::size_t stride, const std::span<const Q15>& weight, bool centred,
              ColumnSums& sums) noexcept;
#endif

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Means of the columns over the rows of one device.

#include <cstdint>
#include <span>

#include "sotto/local/gradient.hpp"
#include "sotto/local/samples.hpp"

namespace sotto {

/// (1/m) times the sum of (x_i - theta) over the rows held, Q24, m the study's nominal number of rows and theta a
/// broadcast model: for the chosen features, or for all of them when none is chosen. Without rows the means are zeros.
/// Sums are exact and rounded once, a half away from zero, so the error is at most 2^-25; results saturate at +-128.
/// Columns are read one after the other through `buffer`, which is that of column_of().
/// Cost     100 rows, 64 features: 51 k instructions on Cortex-M4, 74 k on Cortex-M0.
/// Takes    nominal_rows from 1 to k_rows_max, at most that many rows; features of the model and chosen features that
///          exist and are in ascending order, the former a subset of the latter; an out_q24 of the size of `chosen` (or
///          of the features).
void column_means(std::uint32_t nominal_rows, const Samples& samples, const SparseModel& at,
                  const std::span<const std::uint16_t>& chosen, Q15* buffer,
                  const std::span<std::int32_t>& out_q24) noexcept;

}  // namespace sotto

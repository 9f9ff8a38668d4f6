// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Residuals of the rows of one device under a broadcast model.

#include <cstdint>
#include <span>

#include "sotto/local/gradient.hpp"
#include "sotto/local/samples.hpp"

namespace sotto {

/// The prediction <x, theta> of a row, Q24: summed exactly, rounded once, saturating at +-128. The features of the
/// model must exist.
[[nodiscard]] std::int32_t inner_product_q24(const Samples& samples, std::uint32_t row, const SparseModel& at) noexcept;

/// The predictions of all rows, Q24, saturating at +-128: one number a row. If the device centres its rows, the
/// predictions are in the device's units. Columns are then processed one after the other, because the centre and scale
/// of a column are computed from all its rows, and every product is rounded. `column` (buffered_rows() numbers) is
/// memory for one column.
void fits_q24(const Samples& samples, const SparseModel& at, Q15* column, std::int32_t* out) noexcept;

/// The residuals y - <x, theta> of all rows, which screening uses in place of the target once a model is broadcast.
/// Otherwise as fits_q24(). The residual of a row whose target is missing is 0, so that the row has no effect.
void residuals_q24(const Samples& samples, const SparseModel& at, Q15* column, std::int32_t* out) noexcept;

}  // namespace sotto

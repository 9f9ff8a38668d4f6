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

/// The predictions of the first rows in the units of a device that centres its rows, one for each number of `out`.
/// Column after column, because a column's centre and scale take two passes over it; every product is rounded.
void own_fits_q24(const Samples& samples, const SparseModel& at, const std::span<std::int32_t>& out) noexcept;

/// The residuals y - <x, theta> of the first rows, one for each number of `out`, which screening uses in place of the
/// target once a model is broadcast. Q24, saturating at +-128; rows that the device does not hold, or whose target is missing, give
/// zeros. Where the
/// device centres its rows, all are in its units.
void residuals_q24(const Samples& samples, const SparseModel& at, const std::span<std::int32_t>& out) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Means of the columns over the rows of one device.

#include <cstdint>
#include <span>

#include "sotto/local/samples.hpp"
#include "sotto/status.hpp"

namespace sotto {

/// The sum of the rows divided by m, Q24; m is the study's nominal number of rows (1..k_rows_max; a device that holds
/// more uses its first m). For the chosen features, or for all if none is chosen. One pass with exact sums, rounded
/// once: error 2^-24.
/// Cost     100 rows, 64 features: 52 k instructions on Cortex-M4, 159 k on Cortex-M0.
/// Refuses  short_buffer: out_q24 does not have the size of `chosen` (or of the features); bad_dimension: nominal_rows
///          outside its range, a feature beyond the last.
Status column_means(std::uint32_t nominal_rows, const Samples& samples, const std::span<const std::uint16_t>& chosen,
                    const std::span<std::int32_t>& out_q24) noexcept;

}  // namespace sotto

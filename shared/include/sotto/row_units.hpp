// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The units in which local estimators see the rows of a device: stated by the study, or the device's own.

#include <cstdint>

namespace sotto {

/// Who centres and scales the columns of a device's rows. The numbers are part of the format of a manifest.
enum class RowUnits : std::uint8_t {
  stated = 0,   ///< the study: rows are Q15 after its public offsets and scales
  centred = 1,  ///< the same, and the device subtracts its own mean from every column
  /// the device: from raw readings it subtracts their mean on this device and divides by their standard deviation there
  own = 2,
};
inline constexpr std::uint32_t k_row_units_last = 2;

/// The value of a missing reading in own units; it counts as the column's mean.
inline constexpr std::int16_t k_missing_reading = -32768;

}  // namespace sotto

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
  centred = 1,  ///< the same, and the device takes its own mean off every column
  own =
      2,  ///< the device: rows are raw readings, less their mean on this device, in standard deviations of this device
};
inline constexpr std::uint32_t k_row_units_last = 2;

/// In own units this reading says that there is none; it counts as the column's mean.
inline constexpr std::int16_t k_missing_reading = -32768;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How a study converts a sensor's integer readings to the Q15 numbers that local estimators work on.

#include <cstdint>

namespace sotto {

/// The conversion of a reading to Q15: (reading * multiplier + offset) / 2^shift, rounded to nearest, saturating.
/// Public. The offset is in units of the product, so that an offset between two readings loses no accuracy.
struct ReadingScale {
  std::int64_t offset = 0;  ///< |offset| <= 2^61
  std::int32_t multiplier = 1;
  std::uint32_t shift = 0;  ///< at most 61
};

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto {

/// How the study turns a sensor's integer into Q15: (reading * multiplier + offset) / 2^shift, rounded to nearest, saturating.
/// Public. The offset is in units of the product, so that an offset between two readings costs no accuracy.
struct ReadingScale {
  std::int64_t offset = 0;  ///< at most 2^61 in size
  std::int32_t multiplier = 1;
  std::uint32_t shift = 0;  ///< at most 61
};

}  // namespace sotto

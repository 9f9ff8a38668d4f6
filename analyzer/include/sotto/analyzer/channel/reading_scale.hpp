// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Converts the offset and the scale of a study's feature to the integers with which devices scale their sensor
/// readings.

#include "sotto/analyzer/result.hpp"
#include "sotto/local/readings.hpp"

namespace sotto::analyzer {

/// The integers with which a device converts readings to Q15 as (reading - offset) / scale.
/// Error    with an offset within 2^20 scales of zero, the result is within 1/2 + 2^-14 of a Q15 step of the exact
///          quotient (saturated to Q15).
/// Refuses  a scale that is zero, not finite, or outside 2^-14 .. 2^44 in size; an offset that is not finite, or more
///          than 2^28 scales or 2^31 readings away from zero.
[[nodiscard]] Result<ReadingScale> reading_scale(double offset, double scale);

}  // namespace sotto::analyzer

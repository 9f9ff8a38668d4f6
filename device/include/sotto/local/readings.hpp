// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Conversion of sensor readings to Q15 by the study's public scale.

#include <cstdint>

#include "sotto/fixed.hpp"
#include "sotto/reading_scale.hpp"

namespace sotto {

/// A reading as Q15. Any reading has an answer. Takes the scales that decode_manifest() lets through: their bounds are
/// in ReadingScale.
[[nodiscard]] Q15 reading_q15_saturate(std::int32_t reading, const ReadingScale& scale) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/fixed.hpp"
#include "sotto/reading_scale.hpp"

namespace sotto {

/// A reading as Q15. Any reading has an answer; an offset or shift beyond its bound counts as the bound.
[[nodiscard]] Q15 reading_q15_saturate(std::int32_t reading, const ReadingScale& scale) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/screen.hpp"

namespace sotto {

/// How strongly each column goes along with the target, as a direction: s_j^3 / |s^3|, s_j the score of screen(), Q24, one number
/// a feature. Cubes leave the few strong columns standing out of many weak ones, and the vector has length 1. No rows, or nothing
/// in common with any column: zeros. `residual_q24` and `work` (screen_work_bytes()) as in screen().
///
/// Accuracy  2^-11 against doubles; the length is at most 1 and at least 1 - 2^-10.
/// Cost     that of screen(), and a root and a division for each column.
/// Takes    what screen() takes; an out_q24 of the size of the features.
void cubed_scores(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                  const std::span<std::byte>& work, const std::span<std::int32_t>& out_q24) noexcept;

}  // namespace sotto

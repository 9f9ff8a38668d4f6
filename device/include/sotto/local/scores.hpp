// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How strongly each feature is correlated with the target, as one unit vector over all features.

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/local/screen.hpp"

namespace sotto {

/// The correlation of each column with the target as a direction: s_j^3 / |s^3|, s_j the score of screen(), Q24, one
/// number for each feature. Cubes make the few strong columns stand out from many weak ones. Without rows, or if all
/// scores are zero, the answer is zeros. `residual_q24` and `work` (screen_work_bytes()) are as in screen().
///
/// Accuracy  2^-11 against doubles; the length is at most 1 and at least 1 - 2^-10.
/// Cost     that of screen(), and a root and a division for each column.
/// Takes    what screen() takes; an out_q24 of the size of the features.
void cubed_scores(const ScreenSpec& spec, const Samples& samples, const std::span<const std::int32_t>& residual_q24,
                  const std::span<std::byte>& work, const std::span<std::int32_t>& out_q24) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Levels: the means of a device's columns in the units that the study states. A column that never changes on a device
/// says nothing within it, and its level is all that there is.

#include <cstdint>
#include <span>

#include "sotto/local/gradient.hpp"
#include "sotto/local/samples.hpp"

namespace sotto {

/// What is asked of the levels: r is the target's level less `target_centre`, all in Q24.
struct LevelSpec {
  std::uint32_t measure = 0;  ///< k_level_products ..
  std::int32_t target_centre = 0, fit_centre = 0;
};

/// The centres of a level question are at most two full scales.
inline constexpr std::uint32_t k_level_centre_q24_max = 1u << 25;

/// The size of the answer for a model of so many features.
[[nodiscard]] std::uint32_t level_size(std::uint32_t measure, std::uint32_t features) noexcept;

/// Computes the answer, Q24, over the rows held, which count as they are stated whoever centres them otherwise:
///   products  U r, and for each feature of the model (x_j - theta_j) r, x_j its level and U the samples' unit
///   columns   x_j - theta_j
///   target    r
///   better    r^2 - (r - u)^2, u = sum theta_j x_j - fit_centre
/// Without rows the answer is zeros. Each level is rounded once, a half away from zero.
/// Cost     one pass over each column of the model and one over the target, read through `buffer` (column_of()).
/// Takes    at most k_rows_max rows, centres up to k_level_centre_q24_max in size, an out_q24 of level_size().
void level_answer(const LevelSpec& spec, const Samples& samples, const SparseModel& model, Q15* buffer,
                  const std::span<std::int32_t>& out_q24) noexcept;

}  // namespace sotto

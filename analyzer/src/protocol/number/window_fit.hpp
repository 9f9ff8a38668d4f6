// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/spec/window.hpp"

// What the outcomes of a window round tell about the answers, which are places in [0, 1]. Derivation: docs/EVERYDAY.md
namespace sotto::analyzer {

/// Mean and variance of the places with their standard errors, unbiased but for the rounding to levels.
struct PlaceMoments {
  double mean = 0, mean_error = 0;
  double variance = 0, variance_error = 0;
};
[[nodiscard]] PlaceMoments place_moments(const WindowSpec& spec, std::span<const double> outcomes);

/// The distribution of the answers over the channel's N levels: expectation maximisation, smoothed by (1, 2, 1) / 4 every
/// 16 / epsilon^2 steps. More smoothing would flatten peaks where the channel is blurred, less would fit its noise.
[[nodiscard]] std::vector<double> fit_levels(const WindowSpec& spec, std::span<const double> outcomes);

/// The share at or below a place, and the place below which a share lies. A level's mass is spread evenly around it.
[[nodiscard]] double share_below(std::span<const double> levels, double place);
[[nodiscard]] double place_of(std::span<const double> levels, double share);

/// The outcomes of another cohort as large, drawn from these: a bootstrap, the same for the same number.
[[nodiscard]] std::vector<double> resampled(std::span<const double> outcomes, std::uint64_t number);

}  // namespace sotto::analyzer

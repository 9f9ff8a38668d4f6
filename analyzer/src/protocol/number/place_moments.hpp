// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/spec/window.hpp"

// What the outcomes of a window round tell about the answers, which are places in [0, 1]. Derivation: docs/protocols/number.md
namespace sotto::analyzer {

/// Mean and variance of the places with their standard errors, unbiased but for the rounding to levels.
struct PlaceMoments {
  double mean = 0, mean_error = 0;
  double variance = 0, variance_error = 0;
};
[[nodiscard]] PlaceMoments place_moments(const WindowSpec& spec, std::span<const double> outcomes);

}  // namespace sotto::analyzer

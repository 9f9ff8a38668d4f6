// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How much of a mean answer is left when answers are clipped to a ball, from how far they are from its boundary.

#include <cstddef>

namespace sotto::analyzer {

/// The share of a shift that clipped answers keep on average.
struct ClippingGain {
  double kept = 1;
  double doubt = 0;  ///< relative standard error of `kept`, because the pole is an estimate
};

/// For k normal coordinates, clipped at R: `pole` is the mean of sqrt(1 - |g|^2/R^2) over the clipped answers g. A pole
/// near 1 says that nothing is clipped, a pole of 0 that everything is.
[[nodiscard]] ClippingGain clipping_gain(std::size_t coordinates, double pole, double pole_error);

}  // namespace sotto::analyzer

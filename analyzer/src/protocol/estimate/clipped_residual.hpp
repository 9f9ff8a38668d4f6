// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

namespace sotto::analyzer {

/// What is left of a residual's mean when it is clipped, all in units of the coefficients. A row with the sign x_j leaves
/// r = delta x_j + rest, rest normal; it answers clip(r, B)/B.

/// d/d(delta) of the mean of clip(r, B) x_j at delta = 0: P(|r| < B) for r ~ N(0, deviation^2).
[[nodiscard]] double clipping_gain(double deviation, double bound);

/// The mean of clip(delta + rest, B)/B for rest ~ N(0, spread^2).
[[nodiscard]] double clipped_mean(double delta, double spread, double bound);

/// The delta whose clipped mean this is, when delta and the rest together have this deviation. A coefficient that makes up most of
/// the residual leaves the others hardly a say in its sign: dividing by the gain alone would make it too large.
[[nodiscard]] double unclipped(double mean, double deviation, double bound);

/// A row whose gradient is r x lifts to sqrt(1 - |r x|^2/R^2) at the pole. Its mean for r |x| ~ N(0, (R/ratio)^2), clipped at R.
[[nodiscard]] double pole_mean(double ratio);
/// The ratio with this pole; `assumed` where the pole is not known well enough, and never far from it.
[[nodiscard]] double bound_ratio(double pole, double pole_error, double assumed);

/// What is left of theta in the mean of class * x_j, class +-1 of a logistic model: 2 E p(1 - p), <x, theta> ~ N(0, length^2).
[[nodiscard]] double class_attenuation(double length);
/// The length whose product with its attenuation this is; at most `most`.
[[nodiscard]] double length_of_class(double product, double most);

}  // namespace sotto::analyzer

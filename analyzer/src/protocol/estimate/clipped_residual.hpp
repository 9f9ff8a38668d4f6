// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// How clipping biases the mean of residuals and gradients, and how to undo it. All values are in units of the
/// coefficients. A row with sign x_j has the residual r = delta x_j + rest, with a normal rest; it answers clip(r,
/// B)/B.

namespace sotto::analyzer {

/// d/d(delta) of the mean of clip(r, B) x_j at delta = 0: P(|r| < B) for r ~ N(0, deviation^2).
[[nodiscard]] double clipping_gain(double deviation, double bound);

/// The mean of clip(delta + rest, B)/B for rest ~ N(0, spread^2).
[[nodiscard]] double clipped_mean(double delta, double spread, double bound);

/// The delta that has this clipped mean, if delta and the rest together have this deviation. Dividing by the gain alone
/// would overestimate a coefficient that makes up most of the residual, because the rest then hardly affects its sign.
[[nodiscard]] double unclipped(double mean, double deviation, double bound);

/// A row with gradient r x lifts to sqrt(1 - |r x|^2/R^2) at the pole. This is the mean of that for r |x| ~ N(0,
/// (R/ratio)^2), clipped at R.
[[nodiscard]] double pole_mean(double ratio);
/// The ratio with this mean pole; `assumed` if the pole is not known well enough, and never far from it.
[[nodiscard]] double bound_ratio(double pole, double pole_error, double assumed);

/// The factor of theta in the mean of class * x_j, for classes +-1 of a logistic model: 2 E p(1 - p) with <x, theta> ~
/// N(0, length^2).
[[nodiscard]] double class_attenuation(double length);
/// The length whose product with its attenuation is this; at most `most`.
[[nodiscard]] double length_of_class(double product, double most);

}  // namespace sotto::analyzer

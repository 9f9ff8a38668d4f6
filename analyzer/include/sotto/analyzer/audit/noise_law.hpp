// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Exact distributions of the additive noises (discrete Laplace on a circle, discrete Gaussian) and the epsilon that
/// they deliver. The audit compares its bounds with them.

#include <cstdint>
#include <vector>

#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/laplace.hpp"

namespace sotto::analyzer::audit {

/// The distribution of the Laplace noise on the circle of 2^bits steps, from the integer digit thresholds of the
/// device: element z is P(noise = z mod 2^bits).
/// Error  double rounding only, below 10^-12 relative. bits <= 16, so that the table stays small.
[[nodiscard]] std::vector<double> laplace_law(const LaplaceSpec& spec);

/// The delivered epsilon: the logarithm of the largest probability ratio between two inputs in [-G, G], over all
/// reports.
[[nodiscard]] double laplace_delivered(const LaplaceSpec& spec);

/// P(noise >= z) for the discrete Gaussian with this variance.
[[nodiscard]] double gaussian_upper_tail(std::uint32_t variance, std::int32_t z);

/// The epsilon that a scalar Gaussian spec (dimension 1) delivers at its delta: the smallest at which
/// sum_z max(0, P(z - 2G) - e^epsilon P(z)) <= delta, with P the distribution of the noise and [-G, G] the range of
/// inputs.
/// Error  double rounding, below 10^-9.
[[nodiscard]] double gaussian_delivered(const GaussianSpec& spec);

}  // namespace sotto::analyzer::audit

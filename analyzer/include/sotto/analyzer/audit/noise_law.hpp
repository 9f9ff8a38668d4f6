// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/laplace.hpp"

namespace sotto::analyzer::audit {

/// The law of the noise on the circle of 2^bits steps, from the digit thresholds of the device: element z is P(noise = z mod 2^bits).
/// Error  double rounding only, below 10^-12 relative. bits <= 16, so that the table stays small.
[[nodiscard]] std::vector<double> laplace_law(const LaplaceSpec& spec);

/// ln of the largest ratio between two inputs of [-G, G], over all reports.
[[nodiscard]] double laplace_delivered(const LaplaceSpec& spec);

/// P(noise >= z) of the discrete Gaussian with this variance.
[[nodiscard]] double gaussian_upper_tail(std::uint32_t variance, std::int32_t z);

/// The smallest epsilon at which sum_z max(0, P(z - 2G) - e^epsilon P(z)) <= delta: what a scalar spec (dimension 1) delivers.
/// Error  double rounding, below 10^-9.
[[nodiscard]] double gaussian_delivered(const GaussianSpec& spec);

}  // namespace sotto::analyzer::audit

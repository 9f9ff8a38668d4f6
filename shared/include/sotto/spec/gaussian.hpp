// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Discrete Gaussian noise on a grid: (epsilon, delta), refused unless the pair is a certified point and the variance reaches it.
/// The sensitivity is 2 * radius, from the clip that the device applies itself; no message carries one.
struct GaussianSpec {
  static constexpr Stem k_stem = Stem::gaussian;
  EpsilonNano epsilon = 0;
  DeltaUnits delta = 0;
  std::uint32_t radius = 0;     ///< G, 1 .. 512: clip to [-G, G], or to the l2 ball of radius G
  std::uint32_t variance = 0;   ///< in grid steps squared, 1 .. 2^25
  std::uint32_t dimension = 0;  ///< 1 .. 4096
};

inline constexpr std::uint32_t k_gaussian_radius_max = 512;
inline constexpr std::uint32_t k_gaussian_variance_max = std::uint32_t{1} << 25;
inline constexpr std::uint32_t k_gaussian_dimension_max = 4096;

Status check_parameters(const GaussianSpec& spec) noexcept;
Status check_channel(const GaussianSpec& spec) noexcept;
/// Fills in the smallest certified variance.
Status derive(GaussianSpec& spec) noexcept;
void encode_fields(const GaussianSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto

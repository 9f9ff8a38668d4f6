// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Parameters of the discrete Gaussian randomizer: integer noise on a grid, (epsilon, delta)-private.

#include "sotto/spec/two_level_spec.hpp"

namespace sotto {

/// Discrete Gaussian noise on a grid. A spec is refused unless (epsilon, delta) is in the table of certified points and
/// the variance suffices there. The sensitivity is 2 * radius, because the device itself clips to the radius; it is not
/// a parameter.
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

/// Refuses  bad_channel: a parameter outside its range.
Status check_parameters(const GaussianSpec& spec) noexcept;
/// Refuses  uncertified_point: (epsilon, delta) is not in the table, or in one dimension the variance is not the
///          certified one; overspent: the variance is too small.
Status check_channel(const GaussianSpec& spec) noexcept;
/// Sets the variance to the smallest certified one.
Status derive(GaussianSpec& spec) noexcept;
/// Appends the spec's integers except epsilon, for spec_digest().
void encode_fields(const GaussianSpec& spec, ByteWriter& out) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/gaussian.hpp"

#include "sotto/spec/gaussian_points.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {

/// The certified points, packed: they are all pairs of a few deltas and of epsilons that double.
struct PointGrid {
  static constexpr std::size_t k_deltas = 4, k_epsilons = k_gaussian_points.size() / k_deltas;
  DeltaUnits delta[k_deltas] = {};
  std::uint8_t ratio_q16[k_gaussian_points.size() * 6 + 1] = {};  // 24 bits for a scalar, 24 for a vector

  constexpr PointGrid() noexcept {
    for (std::size_t i = 0; i < k_gaussian_points.size(); ++i) {
      const GaussianPoint& p = k_gaussian_points[i];
      if (i < k_deltas) delta[i] = p.delta;
      for (std::size_t b = 0; b < 3; ++b) {
        ratio_q16[6 * i + b] = static_cast<std::uint8_t>(p.scalar_ratio_q16 >> (8 * b));
        ratio_q16[6 * i + 3 + b] = static_cast<std::uint8_t>(p.vector_ratio_q16 >> (8 * b));
      }
    }
  }
  [[nodiscard]] constexpr std::uint32_t ratio(std::size_t point, std::uint32_t dimension) const noexcept {
    return load_u32(ratio_q16 + 6 * point + (dimension == 1 ? 0 : 3)) & 0xffffffu;
  }
  [[nodiscard]] constexpr bool whole() const noexcept {
    bool all = true;
    for (std::size_t i = 0; i < k_gaussian_points.size(); ++i) {
      const GaussianPoint& p = k_gaussian_points[i];
      all = all && p.epsilon_nano == k_gaussian_points[0].epsilon_nano << (i / k_deltas) &&
            p.delta == delta[i % k_deltas] && ratio(i, 1) == p.scalar_ratio_q16 && ratio(i, 2) == p.vector_ratio_q16;
    }
    return all;
  }
};
constexpr PointGrid k_grid;
static_assert(k_grid.whole() && k_gaussian_points.size() == PointGrid::k_epsilons * PointGrid::k_deltas);

/// The certified variance divided by the squared sensitivity, Q16; 0 if the pair is not in the table. There is no
/// interpolation.
std::uint32_t certified_ratio_q16(const GaussianSpec& spec) noexcept {
  EpsilonNano epsilon = k_gaussian_points[0].epsilon_nano;
  for (std::size_t i = 0; i < k_gaussian_points.size(); ++i) {
    if (spec.epsilon == epsilon && spec.delta == k_grid.delta[i % PointGrid::k_deltas])
      return k_grid.ratio(i, spec.dimension);
    if (i % PointGrid::k_deltas == PointGrid::k_deltas - 1) epsilon *= 2;
  }
  return 0;
}

/// The smallest certified variance, 0 if there is none. No overflow: the table's ratios are below 2^24 and (2G)^2 is at
/// most 2^20.
std::uint32_t least_variance(const GaussianSpec& spec) noexcept {
  return static_cast<std::uint32_t>((multiply_32(certified_ratio_q16(spec), 4 * spec.radius * spec.radius) + 65535) >>
                                    16);
}

Status check_shape(const GaussianSpec& spec) noexcept {
  if (spec.dimension < 1 || spec.dimension > k_gaussian_dimension_max) return Status::bad_dimension;
  return spec.radius >= 1 && spec.radius <= k_gaussian_radius_max ? Status::ok : Status::bad_channel;
}

}  // namespace

Status check_parameters(const GaussianSpec& spec) noexcept {
  if (const Status s = check_shape(spec); s != Status::ok) return s;
  return spec.variance >= 1 && spec.variance <= k_gaussian_variance_max ? Status::ok : Status::bad_channel;
}

Status check_channel(const GaussianSpec& spec) noexcept {
  const std::uint32_t least = least_variance(spec);
  if (least == 0) return Status::uncertified_point;
  if (spec.variance < least)
    return Status::overspent;  // also if the smallest variance is beyond the range of the sampler
  // In one dimension the certificate sums the distribution at exactly this variance, and on a coarse grid delta is not
  // monotone in the variance.
  return spec.dimension == 1 && spec.variance != least ? Status::uncertified_point : Status::ok;
}

Status derive(GaussianSpec& spec) noexcept {
  if (const Status s = check_shape(spec); s != Status::ok) return s;
  if (spec.epsilon == 0 || spec.epsilon > k_epsilon_max) return Status::bad_epsilon;
  const std::uint32_t variance = least_variance(spec);
  if (variance == 0) return Status::uncertified_point;
  if (variance > k_gaussian_variance_max) return Status::bad_channel;
  spec.variance = variance;
  return Status::ok;
}

void encode_fields(const GaussianSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.radius);
  out.u32(spec.variance);
  out.u32(spec.dimension);
  out.u32(0);
  out.u64(spec.delta);
}

}  // namespace sotto

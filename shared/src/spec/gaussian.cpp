// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/gaussian.hpp"

#include "sotto/spec/gaussian_points.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {

/// The certified points, which are all pairs of a few epsilons and deltas: each of these once, for less flash.
struct PointGrid {
  static constexpr std::size_t k_deltas = 4, k_epsilons = k_gaussian_points.size() / k_deltas;
  EpsilonNano epsilon[k_epsilons] = {};
  DeltaUnits delta[k_deltas] = {};
  std::uint32_t ratio_q16[k_gaussian_points.size()][2] = {};  // of a scalar, of a vector
  bool whole = true;

  constexpr PointGrid() noexcept {
    for (std::size_t i = 0; i < k_gaussian_points.size(); ++i) {
      const GaussianPoint& p = k_gaussian_points[i];
      const std::size_t e = i / k_deltas, d = i % k_deltas;
      if (d == 0) epsilon[e] = p.epsilon_nano;
      if (e == 0) delta[d] = p.delta;
      whole = whole && epsilon[e] == p.epsilon_nano && delta[d] == p.delta;
      ratio_q16[i][0] = p.scalar_ratio_q16;
      ratio_q16[i][1] = p.vector_ratio_q16;
    }
  }
};
constexpr PointGrid k_grid;
static_assert(k_grid.whole && k_gaussian_points.size() == PointGrid::k_epsilons * PointGrid::k_deltas);

/// Certified variance over sensitivity squared, Q16; 0 when the pair is not in the table. Nothing is interpolated.
std::uint32_t certified_ratio_q16(const GaussianSpec& spec) noexcept {
  const std::uint32_t(*ratio_q16)[2] = k_grid.ratio_q16;
  for (const EpsilonNano epsilon : k_grid.epsilon) {
    for (const DeltaUnits delta : k_grid.delta) {
      if (epsilon == spec.epsilon && delta == spec.delta) return (*ratio_q16)[spec.dimension == 1 ? 0 : 1];
      ++ratio_q16;
    }
  }
  return 0;
}

/// ratio * (2G)^2 in Q16: the table's ratios are below 2^26 and (2G)^2 is at most 2^20.
std::uint64_t needed_q16(const GaussianSpec& spec, std::uint32_t ratio_q16) noexcept {
  return multiply_32(ratio_q16, 4 * spec.radius * spec.radius);
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
  GaussianSpec least = spec;
  const Status derived = derive(least);
  if (derived == Status::bad_channel)
    return Status::overspent;  // the least variance is beyond what the sampler can draw
  if (derived != Status::ok) return derived;
  if (spec.variance < least.variance) return Status::overspent;
  // In one dimension the law was summed at exactly this variance, and delta is not monotone in it on a coarse grid.
  if (spec.dimension == 1 && spec.variance != least.variance) return Status::uncertified_point;
  return Status::ok;
}

Status derive(GaussianSpec& spec) noexcept {
  if (const Status s = check_shape(spec); s != Status::ok) return s;
  if (spec.epsilon == 0 || spec.epsilon > k_epsilon_max) return Status::bad_epsilon;
  const std::uint32_t ratio = certified_ratio_q16(spec);
  if (ratio == 0) return Status::uncertified_point;
  const std::uint64_t variance = (needed_q16(spec, ratio) + 65535) >> 16;
  if (variance > k_gaussian_variance_max) return Status::bad_channel;
  spec.variance = static_cast<std::uint32_t>(variance);
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

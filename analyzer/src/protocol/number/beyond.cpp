// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "beyond.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

/// As much as the worst readings that fit may move the mean, with half its own interval: the noises are independent.
double reach(double half, const std::vector<Beyond>& beyond) {
  double shift = 0;
  for (const Beyond& of : beyond) {
    shift += of.share * of.distance;
    half = std::hypot(half, (of.most - of.share) * of.distance);
  }
  return shift + half;
}

}  // namespace

Beyond beyond_of(const AnySpec& spec, const Shares& shares, std::size_t category, double distance) {
  const double share = std::clamp(shares.share[category], 0.0, 1.0), z = k_two_sided;
  const auto* const grr = std::get_if<GrrSpec>(&spec);
  if (grr == nullptr) return {share, std::min(1.0, share + z * shares.error[category]), distance};
  const double hit = std::ldexp(static_cast<double>(grr->threshold), -32), other = (1 - hit) / (grr->categories - 1.0);
  const auto n = static_cast<double>(shares.reports);
  // As if none were there where fewer reports than that name it: luck shows no smaller bound than the noise allows.
  const double reported = other + share * (hit - other);
  const double centre = (reported + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(reported * (1 - reported) / n + z * z / (4 * n * n));
  return {share, std::clamp((centre + half - other) / (hit - other), share, 1.0), distance};
}

double share_beyond(std::initializer_list<std::vector<Beyond>> sides) {
  double sum = 0;
  for (const std::vector<Beyond>& side : sides) {
    for (const Beyond& of : side) sum += of.share;
  }
  return std::min(1.0, sum);
}

double most_beyond(std::initializer_list<std::vector<Beyond>> sides) {
  double noise = 0;
  for (const std::vector<Beyond>& side : sides) {
    for (const Beyond& of : side) noise = std::hypot(noise, of.most - of.share);
  }
  return std::min(1.0, share_beyond(sides) + noise);
}

EverydayEstimate mean_of_all(const EverydayEstimate& clipped, const std::vector<Beyond>& below,
                             const std::vector<Beyond>& above) {
  EverydayEstimate out = clipped;
  out.name = "mean";
  out.low = clipped.value - reach(clipped.value - clipped.low, below);
  out.high = clipped.value + reach(clipped.high - clipped.value, above);
  return out;
}

}  // namespace sotto::analyzer

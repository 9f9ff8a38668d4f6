// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "zoom.hpp"

#include <algorithm>
#include <cmath>

namespace sotto::analyzer {
namespace {

constexpr double k_hopeless_noise = 0.25, k_coarse_noise = 0.15, k_middle_noise = 0.07;
constexpr double k_least_mass = 0.6, k_left_out = 0.01, k_noise_left_out = 1.5;
constexpr double k_outside_min = 0.02, k_outside_noise = 2, k_outside_many = 0.1;

/// Moves an end of the range, without leaving what the study states.
std::int32_t moved(double end, const Range& of) {
  return static_cast<std::int32_t>(
      std::clamp(std::round(end), static_cast<double>(of.low), static_cast<double>(of.high)));
}

}  // namespace

std::uint32_t zoom_bins(EpsilonNano epsilon, double devices) {
  const double noise = std::sqrt(category_variance(epsilon, 32) / devices);
  return noise > k_coarse_noise ? 16 : noise > k_middle_noise ? 32 : 64;
}

std::optional<Range> zoomed(const Range& of, const Shares& bins) {
  if (bins.noise > k_hopeless_noise) return std::nullopt;
  const std::size_t count = bins.share.size();
  for (std::size_t width = 1; width < count; ++width) {
    const double w = static_cast<double>(width);
    const double wanted =
        std::max(k_least_mass, 1 - std::max(k_left_out, k_noise_left_out * bins.noise * std::sqrt(w)));
    double mass = 0, best = -1;
    std::size_t first = 0;
    for (std::size_t i = 0; i < count; ++i) {
      mass += bins.share[i];
      if (i >= width) mass -= bins.share[i - width];
      if (i + 1 >= width && mass > best) {
        best = mass;
        first = i + 1 - width;
      }
    }
    if (best < wanted) continue;
    const double step = of.width() / static_cast<double>(count),
                 low = of.low + step * (static_cast<double>(first) - w / 2);
    const Range out{moved(low, of), moved(low + 2 * w * step, of)};
    return out.high > out.low && out.width() < of.width() ? std::optional(out) : std::nullopt;
  }
  return std::nullopt;
}

Range widened(const Range& inside, const Range& far, const Range& stated, const Shares& cells) {
  const double noise = k_outside_noise * cells.noise, width = inside.width();
  const auto steps = [&](double share) {  // widths that an end moves
    return share <= std::max(k_outside_min, noise) ? 0.0 : share <= k_outside_many ? 1.0 : 2.0;
  };
  const auto is_far = [&](double share) { return share > k_outside_many + noise; };
  const double below = cells.share[0], above = cells.share[2];
  return {is_far(below) ? far.low : moved(inside.low - steps(below) * width, stated),
          is_far(above) ? far.high : moved(inside.high + steps(above) * width, stated)};
}

Range grown(const Range& range, const Range& stated) {
  return {moved(range.low - range.width(), stated), moved(range.high + range.width(), stated)};
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "clipping_gain.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace sotto::analyzer {
namespace {

// Radii in root mean squares of an answer. Outside this range answers are all clipped, or none of them is.
constexpr double k_reach_low = 0.25, k_reach_high = 8, k_reach_factor = 1.05;
constexpr int k_panels = 400;
// At most half of the gain may be guessed from the pole.
constexpr double k_kept_min = 0.5;

struct Clipped {
  double pole = 0, kept = 0;
};

/// Normal answers with a mean square of 1, clipped at `reach`: integrals over their length r, whose density is
/// proportional to r^(k-1) exp(-k r^2/2). A small shift of the answers moves the clipped mean by
/// E min(1, R/r) - E[R/r; r > R]/k (Stein's identity).
Clipped clipped_at(double reach, double k) {
  const double end = 1 + 8 / std::sqrt(k);
  double total = 0;
  Clipped out;
  for (int i = 0; i < k_panels; ++i) {
    const double r = (i + 0.5) * end / k_panels;
    const double density = std::exp((k - 1) * std::log(r) - 0.5 * k * (r * r - 1));
    total += density;
    if (r < reach) {
      out.pole += density * std::sqrt(1 - r * r / (reach * reach));
      out.kept += density;
    } else {
      out.kept += density * reach / r * (1 - 1 / k);
    }
  }
  out.pole /= total;
  out.kept /= total;
  return out;
}

}  // namespace

ClippingGain clipping_gain(std::size_t coordinates, double pole, double pole_error) {
  const double k = static_cast<double>(std::max<std::size_t>(1, coordinates));
  std::vector<Clipped> table;
  for (double reach = k_reach_low; reach < k_reach_high; reach *= k_reach_factor) table.push_back(clipped_at(reach, k));
  // Both rise with the reach.
  const auto kept_at = [&](double p) {
    const auto above = std::ranges::lower_bound(table, p, {}, &Clipped::pole);
    return std::max(k_kept_min, above == table.end() ? 1.0 : above->kept);
  };
  const double kept = kept_at(pole);
  return {kept, (kept_at(pole + pole_error) - kept_at(pole - pole_error)) / (2 * kept)};
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "candidates.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace sotto::analyzer {
namespace {

constexpr double k_shrink = 0.85;  // ratio of successive sizes that are tried
constexpr double k_known = 0.5;    // probability of "not zero" above which a coordinate is part of the centre

/// The expected squared error of a coordinate after it was asked with this precision. Whether it is zero is decided
/// like a test between two normals whose distance is its expected size.
double loss_after(const ItemHistory& history, std::size_t j, double precision) {
  const AveragedPosterior& now = history.posterior();
  const double before = history.variance()[j];
  const double noise = 1 / (precision + (std::isinf(before) ? 0 : 1 / before));
  const double size = now.mean[j] * now.mean[j], spread = now.slab * noise / (now.slab + noise);
  const double doubt = std::exp(-(size + now.variance[j]) * precision / 8);
  return now.weight[j] * (spread + (1 - now.weight[j]) * size * doubt);
}

}  // namespace

std::vector<std::uint32_t> next_candidates(const ItemHistory& history,
                                           const std::function<double(std::size_t)>& precision, std::size_t least,
                                           std::size_t most) {
  const AveragedPosterior& now = history.posterior();
  const std::size_t d = now.weight.size();
  std::vector<std::uint32_t> order(d), best;
  std::iota(order.begin(), order.end(), 0u);
  std::vector<double> after(d);
  double all_now = 0, least_loss = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < d; ++j) all_now += now.loss(j);
  for (double share = 1;; share *= k_shrink) {
    const auto size = std::max(std::min(least, d), static_cast<std::size_t>(std::ceil(share * static_cast<double>(d))));
    const bool is_last = size <= least;
    if (size == d || size <= most) {
      const double added = precision(size);
      for (std::size_t j = 0; j < d; ++j) after[j] = loss_after(history, j, added);
      std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
        const double gain_a = now.loss(a) - after[a], gain_b = now.loss(b) - after[b];
        return gain_a != gain_b ? gain_a > gain_b : a < b;
      });
      double loss = all_now;
      for (std::size_t i = 0; i < size; ++i) loss += after[order[i]] - now.loss(order[i]);
      if (loss < least_loss) {
        least_loss = loss;
        best.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(size));
      }
    }
    if (is_last) break;
  }
  std::vector<bool> chosen(d);
  for (const std::uint32_t j : best) chosen[j] = true;
  // A round holds only this many; coordinates with the highest probability come first.
  std::vector<std::uint32_t> known;
  for (std::uint32_t j = 0; j < d; ++j) {
    if (!chosen[j] && now.weight[j] > k_known) known.push_back(j);
  }
  std::ranges::sort(known, [&](std::uint32_t a, std::uint32_t b) { return now.weight[a] > now.weight[b]; });
  for (const std::uint32_t j : known) {
    if (best.size() < most) best.push_back(j);
  }
  std::ranges::sort(best);
  return best;
}

}  // namespace sotto::analyzer

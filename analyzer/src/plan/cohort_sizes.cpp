// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cohort_sizes.hpp"

#include <algorithm>

namespace sotto::analyzer {

std::vector<std::uint64_t> cohort_sizes(const Manifest& manifest, std::uint64_t devices, double dropout, Draws& draws) {
  std::uint64_t left = draws.binomial(devices, 1 - dropout);
  double weight = 0;
  std::vector<double> weights;
  for (std::uint32_t c = 0; c < manifest.cohorts; ++c) {
    weights.push_back(manifest.weights[2 * c] + 256.0 * manifest.weights[2 * c + 1]);
    weight += weights.back();
  }
  std::vector<std::uint64_t> sizes;
  for (const double w : weights) {
    sizes.push_back(draws.binomial(left, weight > 0 ? std::min(1.0, w / weight) : 0));
    left -= sizes.back();
    weight -= w;
  }
  return sizes;
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/binomial.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <numeric>

namespace sotto::analyzer {

double binomial_tail(std::uint64_t hits, std::uint64_t trials, double probability) {
  if (hits == 0) return 1;
  if (hits > trials) return 0;
  return boost::math::ibeta(static_cast<double>(hits), static_cast<double>(trials - hits + 1), probability);
}

std::vector<bool> holm_rejects(std::span<const double> p_values, double level) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) { return p_values[a] < p_values[b]; });
  std::vector<bool> out(p_values.size(), false);
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (p_values[order[i]] > level / static_cast<double>(order.size() - i)) break;
    out[order[i]] = true;
  }
  return out;
}

}  // namespace sotto::analyzer

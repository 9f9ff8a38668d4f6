// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include "sotto/analyzer/aggregate/vote.hpp"

namespace sotto::analyzer {

std::vector<std::uint32_t> strongest(const VoteShares& shares, std::size_t count) {
  std::vector<std::uint32_t> order(shares.share.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto larger = [&](std::uint32_t a, std::uint32_t b) {
    return shares.share[a] != shares.share[b] ? shares.share[a] > shares.share[b] : a < b;
  };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(count, order.size()));
  std::partial_sort(order.begin(), middle, order.end(), larger);
  order.erase(middle, order.end());
  return order;
}

double detection_limit(const VoteShares& shares) {
  // The standard error of a feature without votes: most features have none, so it is the median.
  std::vector<double> errors = shares.standard_error;
  const auto middle = errors.begin() + static_cast<std::ptrdiff_t>(errors.size() / 2);
  std::nth_element(errors.begin(), middle, errors.end());
  return (std::sqrt(2 * std::log(static_cast<double>(errors.size()))) + 1.5) * *middle;
}

}  // namespace sotto::analyzer

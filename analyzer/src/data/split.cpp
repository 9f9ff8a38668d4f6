// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/split.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sotto/analyzer/math/xoshiro.hpp"

namespace sotto::analyzer {

UserSplit split_users(std::size_t users, double test_share, std::uint64_t seed) {
  constexpr std::uint64_t k_stream = 0x73706c6974;  // "split": independent of a simulated population with the same seed
  std::vector<std::uint32_t> order(users);
  std::iota(order.begin(), order.end(), 0u);
  Xoshiro random(seed, k_stream);
  for (std::size_t left = users; left > 1; --left) {
    std::swap(order[left - 1], order[random.below(static_cast<std::uint32_t>(left))]);
  }
  const double share = std::clamp(test_share, 0.0, 1.0);
  auto test = static_cast<std::size_t>(std::llround(share * static_cast<double>(users)));
  if (users >= 2 && share > 0 && share < 1) test = std::clamp(test, std::size_t{1}, users - 1);
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(test);
  return {.train = {middle, order.end()}, .test = {order.begin(), middle}};
}

}  // namespace sotto::analyzer

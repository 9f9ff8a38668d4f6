// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <thread>
#include <vector>

namespace sotto::analyzer {

/// The results of make(0) .. make(count - 1), made on as many threads as there are processors: in their order, so that
/// the answer does not depend on these.
template <class Make>
[[nodiscard]] auto side_by_side(std::size_t count, const Make& make) {
  using Made = decltype(make(std::size_t{0}));
  std::vector<std::optional<Made>> made(count);
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < count; i = next++) made[i].emplace(make(i));
  };
  {
    std::vector<std::jthread> others;
    const std::size_t threads = std::min<std::size_t>(std::max(1u, std::thread::hardware_concurrency()), count);
    for (std::size_t t = 1; t < threads; ++t) others.emplace_back(work);
    work();
  }
  std::vector<Made> out;
  for (std::optional<Made>& one : made) out.push_back(std::move(*one));
  return out;
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/walsh_transform.hpp"

namespace sotto::analyzer {

namespace {

constexpr std::size_t k_in_cache = 2048;  // 16 KiB

void butterflies(std::int64_t* a, std::int64_t* b, std::size_t n) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    const auto p = static_cast<std::uint64_t>(a[i]), q = static_cast<std::uint64_t>(b[i]);
    a[i] = static_cast<std::int64_t>(p + q);
    b[i] = static_cast<std::int64_t>(p - q);
  }
}

}  // namespace

void walsh_transform_wrap(std::span<std::int64_t> values) noexcept {
  std::int64_t* const x = values.data();
  const std::size_t size = values.size();
  if (size > k_in_cache) {
    walsh_transform_wrap(values.first(size / 2));
    walsh_transform_wrap(values.last(size / 2));
    butterflies(x, x + size / 2, size / 2);
    return;
  }
  for (std::size_t half = 1; half < size; half *= 2) {
    for (std::size_t at = 0; at < size; at += 2 * half) butterflies(x + at, x + at + half, half);
  }
}

}  // namespace sotto::analyzer

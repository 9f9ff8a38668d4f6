// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/hard_threshold.hpp"

#include "sotto/fixed.hpp"
#include "sotto/masks.hpp"
#include "sotto/randomize/k_closest.hpp"

namespace sotto {

void hard_threshold(const std::span<std::int32_t>& v, std::uint32_t keep) noexcept {
  const auto count = static_cast<std::uint32_t>(v.size());
  if (keep >= count) return;
  // For keep = 0 the largest magnitude is found and none of it is kept.
  const std::uint32_t kth =
      kth_largest(count, 32, keep == 0 ? 1 : keep, [v](std::uint32_t j) noexcept { return magnitude(v[j]); });
  std::uint32_t equal_left = keep;  // of those equal to the k-th, so many stay
  for (const std::int32_t c : v) equal_left += mask_less(kth, magnitude(c));
  for (std::int32_t& c : v) {
    const std::uint32_t above = mask_less(kth, magnitude(c));
    const std::uint32_t equal = mask_equal(kth, magnitude(c)) & ~mask_equal(equal_left, 0);
    equal_left += equal;
    c = static_cast<std::int32_t>(static_cast<std::uint32_t>(c) & (above | equal));
  }
}

}  // namespace sotto

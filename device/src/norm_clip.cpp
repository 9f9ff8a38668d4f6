// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/norm_clip.hpp"

#include "sotto/fixed.hpp"
#include "sotto/wide.hpp"

namespace sotto {

void norm_clip(const std::span<std::int32_t>& v, std::uint32_t radius) noexcept {
  std::uint64_t square = 0;  // 4096 * 2^48 = 2^60
  for (const std::int32_t c : v) square += multiply_32(magnitude(c), magnitude(c));
  if (square <= radius * radius) return;
  const std::uint32_t floor = root_floor(square);
  const std::uint32_t norm = floor + (multiply_32(floor, floor) < square ? 1u : 0u);
  for (std::int32_t& c : v) {
    const auto scaled = static_cast<std::int32_t>(divide_floor(multiply_32(magnitude(c), radius), norm));
    c = c < 0 ? -scaled : scaled;
  }
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/arithmetic/norm_clip.hpp"

#include "sotto/arithmetic/norm_q24.hpp"
#include "sotto/fixed.hpp"
#include "sotto/wide.hpp"

namespace sotto {

void norm_clip(const std::span<std::int32_t>& v, std::uint32_t radius) noexcept {
  const std::uint64_t norm = norm_ceil(v);  // exact: 4096 squares below 2^48 fit as they are
  if (norm <= radius) return;
  for (std::int32_t& c : v) {
    const auto scaled = static_cast<std::int32_t>(divide_floor(multiply_32(magnitude(c), radius), norm));
    c = c < 0 ? -scaled : scaled;
  }
}

}  // namespace sotto

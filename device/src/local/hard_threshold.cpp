// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/hard_threshold.hpp"

#include "sotto/arithmetic/largest.hpp"
#include "sotto/fixed.hpp"
#include "sotto/masks.hpp"

namespace sotto {

void hard_threshold(const std::span<std::int32_t>& v, std::uint32_t keep) noexcept {
  const auto count = static_cast<std::uint32_t>(v.size());
  if (keep >= count) return;
  Largest largest{{count, 32, v.data()}, keep};
  for (std::int32_t& c : v) c = static_cast<std::int32_t>(static_cast<std::uint32_t>(c) & largest.has(magnitude(c)));
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"
#include "sotto/masks.hpp"

// The place of a number in its range: shared by value, bin and number.
namespace sotto {

/// low + offset / width * (high - low), 0 <= offset <= width.
struct Position {
  std::uint32_t offset, width;
};

/// The number is clipped to the range, whose ends are in order.
[[nodiscard]] inline Position position_in(std::int32_t number, const NumberPair& range) noexcept {
  const std::int32_t v = clip_saturate(number, range.first, range.second);
  const auto low = static_cast<std::uint32_t>(range.first);  // differences of int32 fit in uint32
  return {static_cast<std::uint32_t>(v) - low, static_cast<std::uint32_t>(range.second) - low};
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

namespace sotto::analyzer {

/// Maps an unsigned number to SQLite's signed integers by flipping the highest bit, which preserves the order.
[[nodiscard]] constexpr std::int64_t ordered_key(std::uint64_t number) noexcept {
  return static_cast<std::int64_t>(number ^ std::uint64_t{1} << 63);
}
[[nodiscard]] constexpr std::uint64_t number_of_key(std::int64_t key) noexcept {
  return static_cast<std::uint64_t>(key) ^ std::uint64_t{1} << 63;
}

}  // namespace sotto::analyzer

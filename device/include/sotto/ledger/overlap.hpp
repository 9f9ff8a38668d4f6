// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace sotto {

/// Do two pieces of memory share a byte? Addresses wrap around, so each distance is compared with the length of the nearer piece.
[[nodiscard]] inline bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) noexcept {
  const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(b) - reinterpret_cast<std::uintptr_t>(a);
  return distance < a_bytes || 0 - distance < b_bytes;
}

}  // namespace sotto

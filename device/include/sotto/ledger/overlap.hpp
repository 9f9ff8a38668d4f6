// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Checks whether two buffers of the caller overlap.

#include <cstddef>
#include <cstdint>

namespace sotto {

/// Whether two pieces of memory share a byte. Address arithmetic is modular, so each distance is compared with the
/// length of the piece that begins first.
[[nodiscard]] inline bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) noexcept {
  const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(b) - reinterpret_cast<std::uintptr_t>(a);
  return distance < a_bytes || 0 - distance < b_bytes;
}

}  // namespace sotto

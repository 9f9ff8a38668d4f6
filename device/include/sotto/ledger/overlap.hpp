// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Checks whether two buffers of the caller overlap.

#include <cstddef>
#include <cstdint>

namespace sotto {

/// Whether two pieces of memory share a byte: whether the last byte of `a` lies less than both lengths behind the first
/// byte of `b`. Address arithmetic is modular. Neither is empty, and both lengths are below half of the address space.
[[nodiscard]] inline bool overlap(const void* a, std::size_t a_bytes, const void* b, std::size_t b_bytes) noexcept {
  const std::size_t last = a_bytes - 1;
  const std::uintptr_t distance = reinterpret_cast<std::uintptr_t>(a) + last - reinterpret_cast<std::uintptr_t>(b);
  return distance < b_bytes + last;
}

}  // namespace sotto

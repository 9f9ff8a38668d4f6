// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

namespace sotto {

/// Zeroes secrets in a way that the compiler keeps: it must assume that each word is read, and makes no call to memset of it.
inline void wipe(std::uint32_t* words, std::size_t count) noexcept {
  for (; count != 0; --count) {
    *words++ = 0;
    __asm__ volatile("" : : "r"(words) : "memory");
  }
}

}  // namespace sotto

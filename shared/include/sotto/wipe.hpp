// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sotto/barrier.hpp"

namespace sotto {

// Zeroes secrets in a way that the compiler keeps: it must assume that each store is read (memory_seen() in sotto/barrier.hpp), and
// makes no call to memset of them.
// Registers are out of their reach.

inline void wipe_word(std::uint32_t& word) noexcept {
  word = 0;
  memory_seen(&word);
}

/// `count` words of 32 bits, whatever object they belong to.
using WipedWord = std::uint32_t __attribute__((may_alias));
void wipe_words(WipedWord* words, std::size_t count) noexcept;
/// `size` bytes.
void wipe(void* bytes, std::size_t size) noexcept;
inline void wipe(const std::span<std::uint8_t>& bytes) noexcept { wipe(bytes.data(), bytes.size()); }

/// A whole object made of words, such as the draws of a report.
template <class T>
requires(std::is_standard_layout_v<T> && alignof(T) >= 4 &&
         sizeof(T) % 4 == 0) inline void wipe_object(T& object) noexcept {
  wipe_words(reinterpret_cast<WipedWord*>(&object), sizeof object / 4);
}

/// Reaches the spills of a ChaCha block and of Poly1305, on every target.
inline constexpr std::size_t k_wiped_stack_bytes = sizeof(void*) == 4 ? 128 : 192;

/// The stack that functions called before from the same place have used. Secrets that the compiler spilled lie there, in no
/// object that has a name; tests/device/test_wipe.cpp looks for what is left.
template <std::size_t Bytes = k_wiped_stack_bytes>
requires(Bytes % 4 == 0) [[gnu::noinline]] void wipe_stack() noexcept {
  std::uint32_t area[Bytes / 4];
  wipe_words(area, Bytes / 4);
}

}  // namespace sotto

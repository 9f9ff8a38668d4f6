// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Zeroing of secrets that the compiler cannot remove: it must assume that each store is read (memory_seen() in
/// sotto/barrier.hpp), and does not turn the loop into a call of memset. Registers are not wiped.

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "sotto/barrier.hpp"

namespace sotto {

inline void wipe_word(std::uint32_t& word) noexcept {
  word = 0;
  memory_seen(&word);
}

/// Zeroes `size` bytes.
void wipe(void* bytes, std::size_t size) noexcept;
/// Zeroes `count` words of 32 bits, whatever object they belong to. Four times as fast as wipe(), except on Cortex-M0,
/// where it calls wipe() to save flash.
using WipedWord = std::uint32_t __attribute__((may_alias));
#if defined(__ARM_ARCH_6M__)
inline void wipe_words(WipedWord* words, std::size_t count) noexcept { wipe(words, 4 * count); }
#else
void wipe_words(WipedWord* words, std::size_t count) noexcept;
#endif
inline void wipe(const std::span<std::uint8_t>& bytes) noexcept { wipe(bytes.data(), bytes.size()); }

/// Zeroes a whole object that consists of words, such as the draws of a report.
template <class T>
requires(std::is_standard_layout_v<T> && alignof(T) >= 4 &&
         sizeof(T) % 4 == 0) inline void wipe_object(T& object) noexcept {
  wipe_words(reinterpret_cast<WipedWord*>(&object), sizeof object / 4);
}

/// Enough for the spilled registers of a ChaCha block and of Poly1305, on every target.
inline constexpr std::size_t k_wiped_stack_bytes = sizeof(void*) == 4 ? 128 : 192;

/// Zeroes the stack that functions called earlier from the same place have used, where the compiler may have spilled
/// secrets. tests/device/test_wipe.cpp searches for what is left.
template <std::size_t Bytes = k_wiped_stack_bytes>
requires(Bytes % 4 == 0) [[gnu::noinline]] void wipe_stack() noexcept {
  std::uint32_t area[Bytes / 4];
  wipe_words(area, Bytes / 4);
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

// Compiler barriers: empty statements that make no instruction and compute nothing. They keep the optimiser from using what it
// knows of a value or of memory; the machine does not see them.
namespace sotto {

/// The same value, of which the optimiser knows nothing from here on: it cannot turn a mask back into a branch (it did on
/// Cortex-M0), nor a running pointer into several indices. For numbers of 32 bits and pointers.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value hide(Value v) noexcept {
  static_assert(sizeof v >= 4);
  __asm__("" : "+r"(v));
  return v;
}

/// The optimiser must take it that all memory that can be reached from here is read and written now: stores before are made, and
/// not left out because nobody reads them.
[[gnu::always_inline]] inline void memory_seen(const void* memory) noexcept {
  __asm__ volatile("" : : "r"(memory) : "memory");
}

}  // namespace sotto

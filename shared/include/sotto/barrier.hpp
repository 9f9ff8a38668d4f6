// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Compiler barriers: empty assembly statements that emit no instruction. They hide a value or memory from the
/// optimiser, so that constant-time code stays constant time and wiping is not removed. They are not memory barriers of
/// the processor.

namespace sotto {

/// Returns v, about which the optimiser can assume nothing from here on: it cannot turn a mask back into a branch
/// (which it did on Cortex-M0), nor split a running pointer into several indices. For pointers and integers of 32 bits
/// or more.
template <class Value>
[[nodiscard, gnu::always_inline]] inline Value hide(Value v) noexcept {
  static_assert(sizeof v >= 4);
  __asm__("" : "+r"(v));
  return v;
}

/// Makes the optimiser assume that all reachable memory is read and written here: earlier stores are carried out even
/// if nothing reads them.
[[gnu::always_inline]] inline void memory_seen(const void* memory) noexcept {
  __asm__ volatile("" : : "r"(memory) : "memory");
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// One step of a multiplication of long numbers, in which Ed25519 spends nearly all of its time. `portable` is the
/// definition; tests/device/test_arm.cpp compares each core's own version with it.

#include <cstdint>

#include "sotto/arm/multiply.hpp"

namespace sotto {

namespace portable {
/// Computes word + a*b + carry, which is at most 2^64 - 1, and stores its lower half in `word` and its upper half in
/// `carry`.
constexpr void add_product(std::uint32_t& word, std::uint32_t& carry, std::uint32_t a, std::uint32_t b) noexcept {
  const std::uint64_t sum = std::uint64_t{word} + carry + std::uint64_t{a} * b;
  word = static_cast<std::uint32_t>(sum);
  carry = static_cast<std::uint32_t>(sum >> 32);
}
}  // namespace portable

#if defined(__ARM_FEATURE_DSP)
/// One instruction (UMAAL), which GCC does not generate by itself.
[[gnu::always_inline]] inline void add_product(std::uint32_t& word, std::uint32_t& carry, std::uint32_t a,
                                               std::uint32_t b) noexcept {
  std::uint32_t low = word, high = carry;
  __asm__("umaal %0, %1, %2, %3" : "+r"(low), "+r"(high) : "r"(a), "r"(b));
  word = low;
  carry = high;
}
#elif defined(__ARM_ARCH_6M__)
/// By multiply_add(), which is half the size of the compiler's routine.
[[gnu::always_inline]] inline void add_product(std::uint32_t& word, std::uint32_t& carry, std::uint32_t a,
                                               std::uint32_t b) noexcept {
  const std::uint64_t sum = multiply_add(std::uint64_t{word} + carry, a, b);
  word = static_cast<std::uint32_t>(sum);
  carry = static_cast<std::uint32_t>(sum >> 32);
}
#else
using portable::add_product;  // not constant time on Cortex-M3: for public numbers only
#endif

}  // namespace sotto

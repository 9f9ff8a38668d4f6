// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/arm/multiply.hpp"

// One step of a product of long numbers, where Ed25519 spends nearly all of its time. `portable` is the definition;
// tests/device/test_arm.cpp compares the two on the core itself.
namespace sotto {

namespace portable {
/// word + a*b + carry, which is at most 2^64 - 1: its lower half to `word`, its upper half to `carry`.
constexpr void add_product(std::uint32_t& word, std::uint32_t& carry, std::uint32_t a, std::uint32_t b) noexcept {
  const std::uint64_t sum = std::uint64_t{word} + carry + std::uint64_t{a} * b;
  word = static_cast<std::uint32_t>(sum);
  carry = static_cast<std::uint32_t>(sum >> 32);
}
}  // namespace portable

#if defined(__ARM_FEATURE_DSP)
/// One instruction, which GCC does not find by itself.
[[gnu::always_inline]] inline void add_product(std::uint32_t& word, std::uint32_t& carry, std::uint32_t a,
                                               std::uint32_t b) noexcept {
  std::uint32_t low = word, high = carry;
  __asm__("umaal %0, %1, %2, %3" : "+r"(low), "+r"(high) : "r"(a), "r"(b));
  word = low;
  carry = high;
}
#elif defined(__ARM_ARCH_6M__)
/// By multiply_add(), which is half of what the compiler calls.
[[gnu::always_inline]] inline void add_product(std::uint32_t& word, std::uint32_t& carry, std::uint32_t a,
                                               std::uint32_t b) noexcept {
  const std::uint64_t sum = multiply_add(std::uint64_t{word} + carry, a, b);
  word = static_cast<std::uint32_t>(sum);
  carry = static_cast<std::uint32_t>(sum >> 32);
}
#else
using portable::add_product;  // not in constant time on Cortex-M3: for public numbers
#endif

}  // namespace sotto

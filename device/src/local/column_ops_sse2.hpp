// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/fixed.hpp"

// The inner loops of coordinate descent for a contiguous column on x86-64, eight rows at a time, for simulators that
// run them for every device of a fleet. They compute the same bits as all other targets. Numbers are split into 16-bit
// halves as on Cortex-M0, but signed, r = 2^16 * upper + lower, because pmaddwd and pmulhw multiply signed numbers.
// Compiler builtins are used because the header of the intrinsics needs a C library.
namespace sotto {

using Shorts8 = std::int16_t __attribute__((vector_size(16)));
using Words4 = std::int32_t __attribute__((vector_size(16)));
// Unsigned vectors, for products and sums modulo 2^16 and 2^32.
using UnsignedShorts8 = std::uint16_t __attribute__((vector_size(16)));
using UnsignedWords4 = std::uint32_t __attribute__((vector_size(16)));
using Shorts8At = std::int16_t __attribute__((vector_size(16), aligned(2), may_alias));
using Words4At = std::int32_t __attribute__((vector_size(16), aligned(4), may_alias));

[[nodiscard, gnu::always_inline]] inline Shorts8 load_shorts(const Q15* p) noexcept {
  return static_cast<Shorts8>(*reinterpret_cast<const Shorts8At*>(p));
}
[[nodiscard, gnu::always_inline]] inline Words4 load_words(const std::int32_t* p) noexcept {
  return static_cast<Words4>(*reinterpret_cast<const Words4At*>(p));
}
[[gnu::always_inline]] inline void store_words(std::int32_t* p, Words4 v) noexcept {
  *reinterpret_cast<Words4At*>(p) = v;
}

/// The lower halves of the products.
[[nodiscard, gnu::always_inline]] inline Shorts8 multiply_low(Shorts8 a, Shorts8 b) noexcept {
  return reinterpret_cast<Shorts8>(reinterpret_cast<UnsignedShorts8>(a) * reinterpret_cast<UnsignedShorts8>(b));
}
/// The lower halves of words, as signed numbers.
[[nodiscard, gnu::always_inline]] inline Words4 lower_half(Words4 v) noexcept {
  return reinterpret_cast<Words4>(reinterpret_cast<UnsignedWords4>(v) << 16) >> 16;
}
[[nodiscard, gnu::always_inline]] inline Words4 add_modulo(Words4 a, Words4 b) noexcept {
  return reinterpret_cast<Words4>(reinterpret_cast<UnsignedWords4>(a) + reinterpret_cast<UnsignedWords4>(b));
}

/// x'r, exact, as dot_rows().
[[nodiscard]] inline std::int64_t dot_contiguous(const Q15* x, const std::int32_t* r, std::uint32_t rows) noexcept {
  constexpr Shorts8 k_ones = {1, 1, 1, 1, 1, 1, 1, 1};
  Words4 high{}, low{};
  std::uint32_t i = 0;
  for (; i + 8 <= rows; i += 8) {
    const Shorts8 factor = load_shorts(x + i);
    const Words4 first = load_words(r + i), second = load_words(r + i + 4);
    const Shorts8 upper = __builtin_ia32_packssdw128((first + 32768) >> 16, (second + 32768) >> 16);
    const Shorts8 lower = __builtin_ia32_packssdw128(lower_half(first), lower_half(second));
    high += __builtin_ia32_pmaddwd128(factor, upper) +
            __builtin_ia32_pmaddwd128(__builtin_ia32_pmulhw128(factor, lower), k_ones);
    // The lower halves of the products are unsigned: with the top bit flipped they are signed numbers that are 2^15
    // less.
    low += __builtin_ia32_pmaddwd128(multiply_low(factor, lower) ^ std::int16_t{-32768}, k_ones);
  }
  std::int64_t sum = (std::int64_t{high[0]} + high[1] + high[2] + high[3]) * 65536;
  sum += std::int64_t{low[0]} + low[1] + low[2] + low[3] + 32768 * std::int64_t{i};
  for (; i < rows; ++i) sum += std::int64_t{x[i]} * r[i];
  return sum;
}

/// r -= x*step/2^16 for the largest multiple of eight rows, whose number it returns; see subtract_rows().
[[nodiscard]] inline std::uint32_t subtract_contiguous(const Q15* x, std::int32_t step, std::int32_t* r,
                                                       std::uint32_t rows) noexcept {
  const auto upper = static_cast<std::int16_t>((32768 - step) >> 16), lower = static_cast<std::int16_t>(-step);
  const Shorts8 lowers = {lower, lower, lower, lower, lower, lower, lower, lower};
  const Shorts8 uppers_and_ones = {upper, 1, upper, 1, upper, 1, upper, 1};
  std::uint32_t i = 0;
  for (; i + 8 <= rows; i += 8) {
    const Shorts8 factor = load_shorts(x + i), product = multiply_low(factor, lowers);
    // (x*lower + 2^15) >> 16 is the upper half of the product plus the top bit of its lower half.
    const Shorts8 rounded = __builtin_ia32_pmulhw128(factor, lowers) + ((product >> 15) & std::int16_t{1});
    const Shorts8 first = __builtin_shufflevector(factor, rounded, 0, 8, 1, 9, 2, 10, 3, 11),
                  second = __builtin_shufflevector(factor, rounded, 4, 12, 5, 13, 6, 14, 7, 15);
    store_words(r + i, add_modulo(load_words(r + i), __builtin_ia32_pmaddwd128(first, uppers_and_ones)));
    store_words(r + i + 4, add_modulo(load_words(r + i + 4), __builtin_ia32_pmaddwd128(second, uppers_and_ones)));
  }
  return i;
}

}  // namespace sotto

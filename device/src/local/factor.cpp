// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "factor.hpp"

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/arithmetic/scale.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_bits = 28;  // fraction bits
constexpr std::int32_t k_one = std::int32_t{1} << k_bits;
constexpr std::int32_t k_product_max =
    k_one;  // |D*C| < 1 by positive definiteness; saturated, because rounding may exceed it
constexpr std::int32_t k_entry_max = 2 * k_one;                                               // |C| < 2 likewise
constexpr std::int32_t k_unknown_max = k_one;                                                 // |z| in solve()
constexpr std::int64_t k_pivot_floor = std::int64_t{1} << (2 * k_bits - k_pivot_floor_log2);  // Q56

// Every sum starts at most at 2^58 (an unknown times 1/D, 2^28 * 2^30) and has fewer than 32 products of at most 2^57.
constexpr std::uint64_t k_sum_max =
    (std::uint64_t{1} << 58) + k_factor_size_max * (std::uint64_t{k_entry_max} * k_unknown_max);
static_assert(k_sum_max < std::uint64_t{1} << 63);
static_assert(k_product_max <= k_unknown_max);

/// Shifts all z until `fresh`, which replaces z of `at`, has at most 28 bits. Returns the shift.
[[nodiscard, gnu::noinline]] std::int32_t place(const std::span<Factor::Unknown>& unknown, Factor::Unknown& at,
                                                std::int64_t sum) noexcept {
  const std::int64_t fresh = shift_right_round(sum, k_bits - at.exponent);
  const std::uint32_t bits = signed_bits(fresh), shift = bits > k_bits ? bits - k_bits : 0;
  if (shift != 0) {
    for (Factor::Unknown& u : unknown) u.z = static_cast<std::int32_t>(shift_right_round(u.z, shift));
  }
  at.z = static_cast<std::int32_t>(shift_right_round(fresh, shift));
  return static_cast<std::int32_t>(shift);
}

}  // namespace

// Out of line: inlined, they would run out of registers.
[[gnu::noinline]] void factorise(const Factor& factor) noexcept {
  std::int32_t* row = factor.triangle;
  for (std::size_t i = 0; i < factor.unknown.size(); row += ++i) {
    const std::int32_t* other = factor.triangle;
    for (std::size_t j = 0; j < i; other += ++j) {  // row[j] becomes D_j C_ij
      std::int64_t sum = std::int64_t{row[j]} * k_one;
      for (std::size_t k = 0; k < j; ++k) sum += multiply_signed(-row[k], other[k]);
      row[j] = scale_saturate(sum, factor.unknown[j].exponent - int{k_bits}, k_product_max);
    }
    std::int64_t pivot = std::int64_t{row[i]} * k_one;
    const std::int32_t* inverse = factor.triangle;  // walks along the diagonal with growing steps
    for (std::size_t j = 0; j < i; inverse += ++j + 1) {
      const std::int64_t entry = multiply_signed(row[j], *inverse);  // Q56, at most 2^58
      const std::int32_t c = scale_saturate(entry, -int{k_bits}, k_entry_max);
      pivot += multiply_signed(-row[j], c);
      row[j] = c;
    }
    pivot = pivot < k_pivot_floor ? k_pivot_floor : pivot;
    const std::uint32_t p =
        (2 * k_bits - signed_bits(pivot)) / 2;  // the pivot is below 2^56: products on the way are >= 0
    factor.unknown[i].exponent = static_cast<std::uint8_t>(p);
    // 1/D: 2^56 over 26 to 28 bits, at most 2^30.
    const auto d = static_cast<std::uint64_t>(shift_right_round(pivot, k_bits - 2 * p));
    row[i] = static_cast<std::int32_t>(shifted_quotient(1, 2 * k_bits, d));
  }
}

[[gnu::noinline]] std::int32_t solve(const Factor& factor) noexcept {
  const std::span<Factor::Unknown>& unknown = factor.unknown;
  const std::int32_t* entry = factor.triangle;
  std::int32_t exponent = 0;
  for (Factor::Unknown& at : unknown) {
    std::int64_t sum = std::int64_t{at.z} * k_one;
    for (const Factor::Unknown* u = unknown.data(); u != &at; ++u) sum += multiply_signed(-*entry++, u->z);
    ++entry;  // the pivot
    exponent += place(unknown, at, sum);
  }
  for (std::size_t i = unknown.size(); i-- != 0;) {
    entry = factor.triangle + triangle_size(i) + i;
    std::int64_t sum = multiply_signed(unknown[i].z, *entry);
    for (std::size_t k = i + 1; k < unknown.size(); ++k) {
      entry += k;
      sum += multiply_signed(-*entry, unknown[k].z);
    }
    exponent += place(unknown, unknown[i], sum);
  }
  return exponent;
}

}  // namespace sotto

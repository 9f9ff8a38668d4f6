// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

// Numbers modulo p = 2^255 - 19 in eight words of 32 bits, the lowest first. They are kept modulo 2^256 - 38 = 2p, and any of the 2^256
// patterns is one: what overflows 256 bits comes back as 38 times itself. field_canonical() gives the one below p.
//
// Public numbers only: nothing here takes a constant time.
namespace sotto {

inline constexpr int k_field_words = 8;
struct Field {
  std::uint32_t word[k_field_words];
};

/// All of these allow `out` to be one of the others.
void field_add(Field& out, const Field& a, const Field& b) noexcept;
void field_subtract(Field& out, const Field& a, const Field& b) noexcept;
void field_multiply(Field& out, const Field& a, const Field& b) noexcept;
/// out = a^(2^252 - 3) = a^((p-5)/8)
void field_power(Field& out, const Field& a) noexcept;
/// The same number below p.
void field_canonical(Field& a) noexcept;
/// `a` is 0 modulo p.
[[nodiscard]] bool field_is_zero(Field a) noexcept;

}  // namespace sotto

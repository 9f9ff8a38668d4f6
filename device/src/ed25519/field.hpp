// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

// Arithmetic modulo p = 2^255 - 19, on eight 32-bit words, the lowest first. Numbers are kept modulo 2^256 - 38 = 2p,
// so all 2^256 patterns are valid: the carry out of 256 bits is added back 38 times. field_canonical() gives the
// representative below p.
//
// For public numbers only: nothing here is constant time.
namespace sotto {

inline constexpr int k_field_words = 8;
struct FieldElement {
  std::uint32_t word[k_field_words];
};

/// `out` may be one of the arguments.
void field_add(FieldElement& out, const FieldElement& a, const FieldElement& b) noexcept;
void field_subtract(FieldElement& out, const FieldElement& a, const FieldElement& b) noexcept;
void field_multiply(FieldElement& out, const FieldElement& a, const FieldElement& b) noexcept;
/// out = a^(2^252 - 3) = a^((p-5)/8)
void field_power(FieldElement& out, const FieldElement& a) noexcept;
/// Reduces a to its representative below p.
void field_canonical(FieldElement& a) noexcept;
/// Whether a is 0 modulo p.
[[nodiscard]] bool field_is_zero(FieldElement a) noexcept;

}  // namespace sotto

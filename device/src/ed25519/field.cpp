// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "field.hpp"

#include "sotto/arm/add_product.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_below_top = 0x7fffffff;

/// a += n; returns the carry out of 256 bits.
[[gnu::noinline]] std::uint32_t add_number(std::uint32_t* a, std::uint32_t n) noexcept {
  std::uint64_t sum = n;
  for (int i = 0; i < k_field_words; ++i) {
    sum += a[i];
    a[i] = static_cast<std::uint32_t>(sum);
    sum >>= 32;
  }
  return static_cast<std::uint32_t>(sum);
}

/// Adds carry * 2^256, which is 38 * carry, carry at most 38. At most two additions: a carry out of the first leaves
/// less than 38 * 38.
void settle(std::uint32_t* a, std::uint32_t carry) noexcept {
  while (carry != 0) carry = add_number(a, 38 * carry);
}

/// to += from * factor; returns the carry out of 256 bits. Nearly all of the time is spent here.
[[gnu::noinline]] std::uint32_t add_multiple(std::uint32_t* to, const std::uint32_t* from,
                                             std::uint32_t factor) noexcept {
  std::uint32_t carry = 0;
#if defined(__ARM_FEATURE_DSP)
#pragma GCC unroll 8
#endif
  for (int i = 0; i < k_field_words; ++i) add_product(to[i], carry, from[i], factor);
  return carry;
}

/// a + b with flip 0. With all ones a - b: ~x is 2^256 - 1 - x, which is 37 - x modulo 2p, so ~(~a + b) = 37 - (37 - a
/// + b).
[[gnu::noinline]] void add_or_subtract(FieldElement& out, const FieldElement& a, const FieldElement& b,
                                       std::uint32_t flip) noexcept {
  std::uint64_t sum = 0;
  for (int i = 0; i < k_field_words; ++i) {
    sum += a.word[i] ^ flip;
    sum += b.word[i];
    out.word[i] = static_cast<std::uint32_t>(sum);
    sum >>= 32;
  }
  settle(out.word, static_cast<std::uint32_t>(sum));
  for (int i = 0; i < k_field_words; ++i) out.word[i] ^= flip;
}

}  // namespace

void field_add(FieldElement& out, const FieldElement& a, const FieldElement& b) noexcept {
  add_or_subtract(out, a, b, 0);
}
void field_subtract(FieldElement& out, const FieldElement& a, const FieldElement& b) noexcept {
  add_or_subtract(out, a, b, 0xffffffffu);
}

void field_multiply(FieldElement& out, const FieldElement& a, const FieldElement& b) noexcept {
  std::uint32_t product[2 * k_field_words];
  for (int i = 0; i < k_field_words; ++i) product[i] = 0;
  for (int i = 0; i < k_field_words; ++i) product[i + k_field_words] = add_multiple(product + i, b.word, a.word[i]);
  const std::uint32_t carry = add_multiple(product, product + k_field_words, 38);  // at most 38
  for (int i = 0; i < k_field_words; ++i) out.word[i] = product[i];
  settle(out.word, carry);
}

void field_power(FieldElement& out, const FieldElement& a) noexcept {
  // power = a^(2^n - 1) for n = 1, 3, 7, 15, 31, 62, 125, 250: n doubles each time, plus one where 250 has a set bit.
  FieldElement power = a;
  unsigned n = 1;
  for (int bit = 6; bit >= 0; --bit) {
    const FieldElement before = power;
    for (unsigned i = 0; i < n; ++i) field_multiply(power, power, power);
    field_multiply(power, power, before);
    n *= 2;
    if ((250u >> bit & 1u) != 0) {
      field_multiply(power, power, power);
      field_multiply(power, power, a);
      ++n;
    }
  }
  for (int i = 0; i < 2; ++i) field_multiply(power, power, power);
  field_multiply(out, power, a);  // 4 (2^250 - 1) + 1
}

void field_canonical(FieldElement& a) noexcept {
  std::uint32_t& top = a.word[k_field_words - 1];
  const std::uint32_t over = top >> 31;
  top &= k_below_top;
  static_cast<void>(add_number(a.word, 19 * over));  // 2^255 = 19: below 2^255 + 19 = p + 38
  FieldElement less = a;                             // a + 19 - 2^255 = a - p, where it is not negative
  static_cast<void>(add_number(less.word, 19));
  if (less.word[k_field_words - 1] > k_below_top) {
    less.word[k_field_words - 1] &= k_below_top;
    a = less;
  }
}

bool field_is_zero(FieldElement a) noexcept {
  field_canonical(a);
  std::uint32_t all = 0;
  for (const std::uint32_t w : a.word) all |= w;
  return all == 0;
}

}  // namespace sotto

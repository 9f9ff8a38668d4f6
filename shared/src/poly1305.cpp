// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/poly1305.hpp"

#include <bit>

#include "sotto/wide.hpp"
#include "sotto/wipe.hpp"

// Radix 2^32, not 2^26: the clamped r leaves room for it. r_i < 2^28, and r_1, r_2, r_3 are multiples of 4, so that
// 2^128 * r_i = 2^130 * r_i/4 = 5 r_i/4 modulo 2^130 - 5: 16 long products a block instead of 25.

namespace sotto {

namespace {

static_assert(std::endian::native == std::endian::little, "words are read and written as bytes");

/// to = a + b + carry over 128 bits; returns the carry out. Out of line, because it is used three times.
[[gnu::noinline]] std::uint32_t add_words(std::uint32_t* to, const std::uint32_t* a, const std::uint32_t* b,
                                          std::uint32_t carry) noexcept {
  for (int i = 0; i < 4; ++i) {
    std::uint32_t sum = a[i] + carry;  // 32-bit words: with 64-bit sums GCC generates twice as much code
    carry = sum < carry ? 1 : 0;
    sum += b[i];
    carry += sum < b[i] ? 1 : 0;
    to[i] = sum;
  }
  return carry;
}

}  // namespace

void Poly1305::start(const std::uint32_t one_time_key[8]) noexcept {
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t quarter = one_time_key[i] << 4 >> 6;  // without the four upper and the two lower bits of r_i
    factor_[i] = quarter * 5;
    factor_[4 + i] = quarter * 4;
    last_[i] = one_time_key[4 + i];
    sum_[i] = 0;
  }
  factor_[4] |= one_time_key[0] & 3u;  // of r_0 only the top bits are cleared
  sum_[4] = 0;
}

// sum = (sum + input + top * 2^128) * r mod 2^130 - 5, up to multiples of it.
void Poly1305::block(const std::uint32_t input[4], std::uint32_t top) noexcept {
  // The deferred carry of the block before, (sum_[4] >> 2) * 5 < 2^32, is added together with the input.
  std::uint32_t s[4];
  top += (sum_[4] & 3u) + add_words(s, sum_, input, (sum_[4] >> 2) * 5);  // at most 1 + 3 + 2

  // Column i: four products below 2^32 * 1.25 * 2^28 and one of top, below 2^31; a sum below 2^63.
  std::uint32_t carry = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t* const f = factor_ + i;
    const std::uint32_t first = carry + top * f[0];
    std::uint64_t sum = std::uint64_t{first < carry ? 1u : 0u} << 32 | first;
    sum = multiply_add(sum, s[3], f[1]);
    sum = multiply_add(sum, s[2], f[2]);
    sum = multiply_add(sum, s[1], f[3]);
    sum = multiply_add(sum, s[0], f[4]);
    sum_[i] = static_cast<std::uint32_t>(sum);
    carry = static_cast<std::uint32_t>(sum >> 32);
  }
  // The two bits of r_0 that are missing in factor_[0].
  sum_[4] = carry + top * (factor_[4] & 3u);
}

void Poly1305::finish(std::uint8_t tag[k_tag_bytes]) noexcept {
  // Adds the deferred carry, and 5 on trial: if the sum reaches 2^130, it was at least 2^130 - 5 and keeps the 5, which
  // subtracts the modulus. Once is enough, because the sum is below 2^130 + 2^32.
  std::uint32_t* const words = factor_;  // no longer needed
  wipe_words(words, 4);
  const std::uint32_t carry = (sum_[4] >> 2) * 5;
  const std::uint32_t reached = ((sum_[4] & 3u) + add_words(words, sum_, words, carry + 5)) >> 2;
  static_cast<void>(add_words(words, sum_, last_, carry + 5 * reached));
  __builtin_memcpy(tag, words, k_tag_bytes);
}

}  // namespace sotto

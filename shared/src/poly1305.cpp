// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/poly1305.hpp"

#include <cstddef>

#include "sotto/bytes.hpp"
#include "sotto/wide.hpp"
#include "sotto/wipe.hpp"

// Radix 2^32, not 2^26: the clamped r leaves room for it. r_i < 2^28, and r_1, r_2, r_3 are multiples of 4, so that
// 2^128 * r_i = 2^130 * r_i/4 = 5 r_i/4 modulo 2^130 - 5: 16 long products a block instead of 25.

namespace sotto {

namespace {

/// sum + a*b
[[gnu::always_inline]] inline std::uint64_t multiply_add(std::uint64_t sum, std::uint32_t a, std::uint32_t b) noexcept {
#if defined(__ARM_ARCH_6M__) || defined(__ARM_ARCH_7M__)
  // Where multiply_32() is a call, for its reasons: half of its instructions, because the compiler keeps the carry in memory.
  std::uint32_t c, d, e;
  __asm__(
      ".syntax unified\n\t"
      "uxth %3, %1\n\tlsrs %1, %1, #16\n\tuxth %4, %2\n\tlsrs %2, %2, #16\n\tmovs %5, %3\n\t"
      "muls %5, %4, %5\n\tmuls %3, %2, %3\n\tmuls %4, %1, %4\n\tmuls %1, %2, %1\n\t"
      "adds %Q0, %Q0, %5\n\tadcs %R0, %R0, %1\n\t"
      "lsls %5, %3, #16\n\tlsrs %3, %3, #16\n\tadds %Q0, %Q0, %5\n\tadcs %R0, %R0, %3\n\t"
      "lsls %5, %4, #16\n\tlsrs %4, %4, #16\n\tadds %Q0, %Q0, %5\n\tadcs %R0, %R0, %4"
      : "+l"(sum), "+l"(a), "+l"(b), "=&l"(c), "=&l"(d), "=&l"(e)
      :
      : "cc");
  return sum;
#else
  return sum + multiply_32(a, b);
#endif
}

/// to = a + b + carry over 128 bits; returns the carry out. A function of its own, once for its three uses.
[[gnu::noinline]] std::uint32_t add_words(std::uint32_t* to, const std::uint32_t* a, const std::uint32_t* b,
                                          std::uint32_t carry) noexcept {
  for (int i = 0; i < 4; ++i) {
    const std::uint64_t sum = std::uint64_t{carry} + a[i] + b[i];
    to[i] = static_cast<std::uint32_t>(sum);
    carry = static_cast<std::uint32_t>(sum >> 32);
  }
  return carry;
}

}  // namespace

Poly1305::Poly1305(const std::uint32_t one_time_key[8]) noexcept {
  clear();
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t r = one_time_key[i] & 0x0ffffffcu;
    factor_[i] = (r >> 2) * 5;
    factor_[4 + i] = r;
    last_[i] = one_time_key[4 + i];
  }
  factor_[4] |= one_time_key[0] & 3u;  // of r_0 only the top bits are cleared
}

Poly1305::~Poly1305() { clear(); }

void Poly1305::clear() noexcept { wipe_object(*this); }

// sum = (sum + input + top * 2^128) * r mod 2^130 - 5, up to multiples of it.
void Poly1305::block(std::uint32_t top) noexcept {
  // The carry out of the block before, (sum_[4] >> 2) * 5 < 2^32, goes in together with the input.
  for (std::uint32_t& w : input_) w = from_little_endian(w);
  std::uint32_t s[4];
  top += (sum_[4] & 3u) + add_words(s, sum_, input_, (sum_[4] >> 2) * 5);  // at most 1 + 3 + 2
  used_ = 0;

  // Column i: four products below 2^32 * 1.25 * 2^28 and one of top, below 2^31; a sum below 2^63.
  std::uint64_t carry = 0;
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t* const f = factor_ + i;
    carry += top * f[0];
    carry = multiply_add(carry, s[3], f[1]);
    carry = multiply_add(carry, s[2], f[2]);
    carry = multiply_add(carry, s[1], f[3]);
    carry = multiply_add(carry, s[0], f[4]);
    sum_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
    input_[i] = 0;
  }
  // The two bits of r_0 that factor_[0] lost.
  sum_[4] = static_cast<std::uint32_t>(carry) + top * (factor_[4] & 3u);
}

void Poly1305::add(const std::span<const std::uint8_t>& bytes) noexcept {
  const std::uint8_t* from = bytes.data();
  for (std::size_t left = bytes.size(); left != 0;) {
    std::uint8_t* to = reinterpret_cast<std::uint8_t*>(input_) + used_;
    std::size_t part = 16 - used_;
    if (part > left) part = left;
    left -= part;
    used_ += static_cast<std::uint32_t>(part);
    do {
      *to++ = *from++;
    } while (--part != 0);
    if (used_ == 16) block(1);
  }
}

void Poly1305::pad() noexcept {
  if (used_ != 0) block(1);
}

void Poly1305::add_lengths(std::uint64_t associated, std::uint64_t text) noexcept {
  const std::uint64_t lengths[2] = {associated, text};
  for (int i = 0; i < 4; ++i)
    input_[i] = from_little_endian(static_cast<std::uint32_t>(lengths[i / 2] >> (i % 2 * 32)));
  block(1);
}

void Poly1305::finish(std::uint8_t tag[k_tag_bytes]) noexcept {
  if (used_ != 0) {
    reinterpret_cast<std::uint8_t*>(input_)[used_] = 1;
    block(0);
  }
  // The carry that is due, and 5 on trial: when they reach 2^130, the sum was at least 2^130 - 5 and keeps the 5, which
  // subtracts the modulus. Once is enough, for the sum is below 2^130 + 2^32. The input is zero here.
  const std::uint32_t carry = (sum_[4] >> 2) * 5;
  const std::uint32_t reached = ((sum_[4] & 3u) + add_words(input_, sum_, input_, carry + 5)) >> 2;
  static_cast<void>(add_words(input_, sum_, last_, carry + 5 * reached));
  for (std::uint32_t& w : input_) w = from_little_endian(w);
  __builtin_memcpy(tag, input_, k_tag_bytes);
}

}  // namespace sotto

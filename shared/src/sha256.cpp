// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/sha256.hpp"

#include "sotto/arm/sha256_constants.hpp"
#include "sotto/barrier.hpp"
#include "sotto/bytes.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_start[8] = {0x5be0cd19, 0x1f83d9ab, 0x9b05688c, 0x510e527f,
                                      0xa54ff53a, 0x3c6ef372, 0xbb67ae85, 0x6a09e667};

#if !defined(__ARM_ARCH_6M__)
constexpr auto k_round = [] {
  std::array<std::uint32_t, 64> constants{};
  sha256_constants(constants.data());
  return constants;
}();
static_assert(k_round[0] == 0x428a2f98 && k_round[31] == 0x14292967 && k_round[63] == 0xc67178f2);
#endif

constexpr std::uint32_t rotate_right(std::uint32_t v, int n) noexcept { return (v >> n) | (v << (32 - n)); }

/// The exclusive or of v rotated by a + b + c, by b + c, and by c.
constexpr std::uint32_t mix(std::uint32_t v, int a, int b, int c) noexcept {
  return rotate_right(rotate_right(rotate_right(v, a) ^ v, b) ^ v, c);
}

}  // namespace

Sha256::Sha256() noexcept {
#if defined(__ARM_ARCH_6M__)
  sha256_constants(round_);
#endif
  restart();
}

void Sha256::restart() noexcept {
  const std::uint32_t* const start =
      hide(&k_start[0]);  // otherwise each number is a literal that takes two instructions
  __builtin_memcpy(words_ + k_state, start, sizeof k_start);
  length_ = 0;
}

// In each round all words move down by one place, so that every word is at a fixed offset. This takes half as much code
// as indices that depend on the round.
void Sha256::compress() noexcept {
#if defined(__ARM_ARCH_6M__)
  const std::uint32_t* const k_round = round_;
#endif
  std::uint32_t* const v = words_;
  std::uint32_t before[8];
  __builtin_memcpy(before, v + k_state, sizeof before);
  for (std::size_t i = 0; i < 64; ++i) {
    v[16] = v[0] + (rotate_right(rotate_right(v[1], 11) ^ v[1], 7) ^ (v[1] >> 3)) + v[9] +
            (rotate_right(rotate_right(v[14], 2) ^ v[14], 17) ^ (v[14] >> 10));
    const std::uint32_t h = v[17], g = v[18], f = v[19], e = v[20];
    const std::uint32_t t1 = h + mix(e, 14, 5, 6) + (g ^ (e & (f ^ g))) + k_round[i] + v[0];
    v[21] += t1;
    const std::uint32_t c = v[22], b = v[23], a = v[24];
    v[25] = t1 + mix(a, 9, 11, 2) + (b ^ ((a ^ b) & (b ^ c)));
    for (int j = 0; j < 25; ++j) v[j] = v[j + 1];
  }
  for (int i = 0; i < 8; ++i) v[k_state + i] += before[i];
}

void Sha256::put(std::uint8_t byte) noexcept {
  std::uint32_t& word = words_[(length_ & 63) / 4];
  word = word << 8 | byte;  // four bytes replace the old content; the first one becomes the highest
  ++length_;
  if ((length_ & 63) == 0) compress();
}

void Sha256::add(const std::span<const std::uint8_t>& bytes) noexcept {
  for (const std::uint8_t b : bytes) put(b);
}

void Sha256::finish(Digest& out) noexcept {
  const std::size_t length = length_;
  for (std::uint8_t pad = 0x80; pad != 0 || (length_ & 63) != 56; pad = 0) put(pad);
  words_[14] = static_cast<std::uint32_t>(length >> 29);
  words_[15] = static_cast<std::uint32_t>(length << 3);
  compress();
  // The number whose big-endian bytes are those of a word in memory, and back.
  for (int i = 0; i < 8; ++i) words_[i] = __builtin_bswap32(from_little_endian(words_[k_state + 7 - i]));
  __builtin_memcpy(out.data(), words_, out.size());
}

void sha256(const std::span<const std::uint8_t>& bytes, Digest& out) noexcept {
  Sha256 hash;
  hash.add(bytes);
  hash.finish(out);
}

}  // namespace sotto

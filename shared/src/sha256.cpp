// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/sha256.hpp"

#include "sotto/bytes.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

constexpr std::uint32_t k_round[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

constexpr std::uint32_t rotate_right(std::uint32_t v, int n) noexcept { return (v >> n) | (v << (32 - n)); }

/// The number whose big-endian bytes are those of w in memory, and back.
constexpr std::uint32_t big_endian(std::uint32_t w) noexcept { return __builtin_bswap32(from_little_endian(w)); }

}  // namespace

Sha256::Sha256() noexcept {
  for (int i = 0; i < 8; ++i) state_[i] = k_start[i];
}

void Sha256::compress() noexcept {
  std::uint32_t w[16], s[8];
  for (int i = 0; i < 16; ++i) w[i] = big_endian(block_[i]);
  for (int i = 0; i < 8; ++i) s[i] = state_[i];
  for (std::size_t i = 0; i < 64; ++i) {
    std::uint32_t& word = w[i & 15];
    const std::uint32_t t1 = s[7] + (rotate_right(s[4], 6) ^ rotate_right(s[4], 11) ^ rotate_right(s[4], 25)) +
                             (s[6] ^ (s[4] & (s[5] ^ s[6]))) + k_round[i] + word;
    const std::uint32_t t2 = (rotate_right(s[0], 2) ^ rotate_right(s[0], 13) ^ rotate_right(s[0], 22)) +
                             ((s[0] & s[1]) | (s[2] & (s[0] | s[1])));
    for (int j = 7; j > 0; --j) s[j] = s[j - 1];
    s[4] += t1;
    s[0] = t1 + t2;
    // The schedule rolls through 16 words: 64 bytes of stack instead of 256. This word is due 16 rounds on, if ever.
    const std::uint32_t a = w[(i + 1) & 15], b = w[(i + 14) & 15];
    word += (rotate_right(a, 7) ^ rotate_right(a, 18) ^ (a >> 3)) + w[(i + 9) & 15] +
            (rotate_right(b, 17) ^ rotate_right(b, 19) ^ (b >> 10));
  }
  for (int i = 0; i < 8; ++i) state_[i] += s[i];
}

void Sha256::put(std::uint8_t byte) noexcept {
  reinterpret_cast<std::uint8_t*>(block_)[length_ & 63] = byte;
  ++length_;
  if ((length_ & 63) == 0) compress();
}

void Sha256::add(const std::span<const std::uint8_t>& bytes) noexcept {
  for (const std::uint8_t b : bytes) put(b);
}

void Sha256::finish(Digest& out) noexcept {
  const std::uint64_t bits = length_ * 8;
  for (std::uint8_t pad = 0x80; pad != 0 || (length_ & 63) != 56; pad = 0) put(pad);
  block_[14] = big_endian(static_cast<std::uint32_t>(bits >> 32));
  block_[15] = big_endian(static_cast<std::uint32_t>(bits));
  compress();
  for (std::uint32_t& word : state_) word = big_endian(word);
  __builtin_memcpy(out.data(), state_, sizeof state_);
}

void sha256(const std::span<const std::uint8_t>& bytes, Digest& out) noexcept {
  Sha256 hash;
  hash.add(bytes);
  hash.finish(out);
}

}  // namespace sotto

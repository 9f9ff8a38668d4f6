// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/ed25519/sha512.hpp"

#include <bit>

namespace sotto {

namespace {

constexpr std::uint64_t k_start[8] = {0x5be0cd19137e2179, 0x1f83d9abfb41bd6b, 0x9b05688c2b3e6c1f, 0x510e527fade682d1,
                                      0xa54ff53a5f1d36f1, 0x3c6ef372fe94f82b, 0xbb67ae8584caa73b, 0x6a09e667f3bcc908};

// The first 64 fractional bits of the cube roots of the first 80 primes.
constexpr std::uint64_t k_round[80] = {
    0x428a2f98d728ae22, 0x7137449123ef65cd, 0xb5c0fbcfec4d3b2f, 0xe9b5dba58189dbbc, 0x3956c25bf348b538,
    0x59f111f1b605d019, 0x923f82a4af194f9b, 0xab1c5ed5da6d8118, 0xd807aa98a3030242, 0x12835b0145706fbe,
    0x243185be4ee4b28c, 0x550c7dc3d5ffb4e2, 0x72be5d74f27b896f, 0x80deb1fe3b1696b1, 0x9bdc06a725c71235,
    0xc19bf174cf692694, 0xe49b69c19ef14ad2, 0xefbe4786384f25e3, 0x0fc19dc68b8cd5b5, 0x240ca1cc77ac9c65,
    0x2de92c6f592b0275, 0x4a7484aa6ea6e483, 0x5cb0a9dcbd41fbd4, 0x76f988da831153b5, 0x983e5152ee66dfab,
    0xa831c66d2db43210, 0xb00327c898fb213f, 0xbf597fc7beef0ee4, 0xc6e00bf33da88fc2, 0xd5a79147930aa725,
    0x06ca6351e003826f, 0x142929670a0e6e70, 0x27b70a8546d22ffc, 0x2e1b21385c26c926, 0x4d2c6dfc5ac42aed,
    0x53380d139d95b3df, 0x650a73548baf63de, 0x766a0abb3c77b2a8, 0x81c2c92e47edaee6, 0x92722c851482353b,
    0xa2bfe8a14cf10364, 0xa81a664bbc423001, 0xc24b8b70d0f89791, 0xc76c51a30654be30, 0xd192e819d6ef5218,
    0xd69906245565a910, 0xf40e35855771202a, 0x106aa07032bbd1b8, 0x19a4c116b8d2d0c8, 0x1e376c085141ab53,
    0x2748774cdf8eeb99, 0x34b0bcb5e19b48a8, 0x391c0cb3c5c95a63, 0x4ed8aa4ae3418acb, 0x5b9cca4f7763e373,
    0x682e6ff3d6b2b8a3, 0x748f82ee5defb2fc, 0x78a5636f43172f60, 0x84c87814a1f0ab72, 0x8cc702081a6439ec,
    0x90befffa23631e28, 0xa4506cebde82bde9, 0xbef9a3f7b2c67915, 0xc67178f2e372532b, 0xca273eceea26619c,
    0xd186b8c721c0c207, 0xeada7dd6cde0eb1e, 0xf57d4f7fee6ed178, 0x06f067aa72176fba, 0x0a637dc5a2c898a6,
    0x113f9804bef90dae, 0x1b710b35131c471b, 0x28db77f523047d84, 0x32caab7b40c72493, 0x3c9ebe0a15c9bebc,
    0x431d67c49c100d4c, 0x4cc5d4becb3e42b6, 0x597f299cfc657e2a, 0x5fcb6fab3ad6faec, 0x6c44198c4a475817};

/// The exclusive or of v rotated by a + b + c, by b + c, and by c.
constexpr std::uint64_t mix(std::uint64_t v, int a, int b, int c) noexcept {
  return std::rotr(std::rotr(std::rotr(v, a) ^ v, b) ^ v, c);
}

/// Converts between a word in memory order and the number whose big-endian bytes it holds.
constexpr std::uint64_t big_endian(std::uint64_t w) noexcept {
  return std::endian::native == std::endian::little ? __builtin_bswap64(w) : w;
}

}  // namespace

Sha512::Sha512() noexcept : length_(0) {
  for (int i = 0; i < 8; ++i) state_[i] = k_start[i];
}

void Sha512::compress() noexcept {
  // The next 16 words of the schedule, then h, g, .., a. In each round everything moves down by one place, as in
  // sha256.cpp.
  std::uint64_t v[24];
  for (int i = 0; i < 16; ++i) v[i] = big_endian(block_[i]);
  for (int i = 0; i < 8; ++i) v[16 + i] = state_[i];
  for (const std::uint64_t k : k_round) {
    const std::uint64_t h = v[16], g = v[17], f = v[18], e = v[19], c = v[21], b = v[22], a = v[23];
    const std::uint64_t t1 = h + mix(e, 23, 4, 14) + (g ^ (e & (f ^ g))) + k + v[0];
    const std::uint64_t t2 = mix(a, 5, 6, 28) + ((a & b) | (c & (a | b)));
    const std::uint64_t next = v[0] + (std::rotr(std::rotr(v[1], 7) ^ v[1], 1) ^ (v[1] >> 7)) + v[9] +
                               (std::rotr(std::rotr(v[14], 42) ^ v[14], 19) ^ (v[14] >> 6));
    for (int j = 0; j < 23; ++j) v[j] = v[j + 1];
    v[15] = next;
    v[19] += t1;
    v[23] = t1 + t2;
  }
  for (int i = 0; i < 8; ++i) state_[i] += v[16 + i];
}

void Sha512::put(std::uint8_t byte) noexcept {
  reinterpret_cast<std::uint8_t*>(block_)[length_ & 127] = byte;
  ++length_;
  if ((length_ & 127) == 0) compress();
}

void Sha512::add(const std::span<const std::uint8_t>& bytes) noexcept {
  for (const std::uint8_t b : bytes) put(b);
}

void Sha512::finish(const std::span<std::uint8_t, k_sha512_bytes>& out) noexcept {
  const std::uint64_t length = length_;
  for (std::uint8_t pad = 0x80; pad != 0 || (length_ & 127) != 112; pad = 0) put(pad);
  block_[14] = big_endian(length >> 61);
  block_[15] = big_endian(length << 3);
  compress();
  for (int i = 0; i < 8; ++i) block_[i] = big_endian(state_[7 - i]);
  __builtin_memcpy(out.data(), block_, out.size());
}

}  // namespace sotto

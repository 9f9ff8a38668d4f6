// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

// SHA-256 and ChaCha20 of eight inputs at once: lane i of every vector belongs to input i. The functions are inlined into
// callers that are compiled for one kind of processor each.
namespace sotto::analyzer {

inline constexpr std::size_t k_lanes = 8;
using Lanes [[gnu::vector_size(4 * k_lanes)]] = std::uint32_t;

template <int k_by>
[[gnu::always_inline]] inline void turn_right(Lanes& to, const Lanes& x) {
  to = x >> k_by | x << (32 - k_by);
}

/// The same number in all lanes.
[[gnu::always_inline]] inline void fill(Lanes& to, std::uint32_t number) { to = Lanes{} + number; }

inline constexpr std::array<std::uint32_t, 64> k_sha256_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

/// One block of FIPS 180-4: `state` takes in `words`, which are overwritten.
[[gnu::always_inline]] inline void sha256_block(Lanes (&state)[8], Lanes (&words)[16]) {
  Lanes a = state[0], b = state[1], c = state[2], d = state[3], e = state[4], f = state[5], g = state[6], h = state[7];
#pragma GCC unroll 64
  for (std::size_t i = 0; i < 64; ++i) {
    Lanes& word = words[i % 16];
    Lanes x, y, z;
    if (i >= 16) {
      const Lanes &old = words[(i + 1) % 16], &recent = words[(i + 14) % 16];
      turn_right<7>(x, old), turn_right<18>(y, old);
      word += (x ^ y ^ (old >> 3)) + words[(i + 9) % 16];
      turn_right<17>(x, recent), turn_right<19>(y, recent);
      word += x ^ y ^ (recent >> 10);
    }
    turn_right<6>(x, e), turn_right<11>(y, e), turn_right<25>(z, e);
    const Lanes first = h + (x ^ y ^ z) + ((e & f) ^ (~e & g)) + k_sha256_constants[i] + word;
    turn_right<2>(x, a), turn_right<13>(y, a), turn_right<22>(z, a);
    const Lanes second = (x ^ y ^ z) + ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + first, d = c, c = b, b = a, a = first + second;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

[[gnu::always_inline]] inline void quarter_round(Lanes& a, Lanes& b, Lanes& c, Lanes& d) {
  Lanes x;
  a += b, x = d ^ a, turn_right<16>(d, x);
  c += d, x = b ^ c, turn_right<20>(b, x);
  a += b, x = d ^ a, turn_right<24>(d, x);
  c += d, x = b ^ c, turn_right<25>(b, x);
}

/// One block of RFC 8439.
[[gnu::always_inline]] inline void chacha20_block(const Lanes (&begin)[16], Lanes (&out)[16]) {
  for (std::size_t i = 0; i < 16; ++i) out[i] = begin[i];
  for (int i = 0; i < 10; ++i) {
    for (std::size_t j = 0; j < 4; ++j) quarter_round(out[j], out[4 + j], out[8 + j], out[12 + j]);
    for (std::size_t j = 0; j < 4; ++j)
      quarter_round(out[j], out[4 + (j + 1) % 4], out[8 + (j + 2) % 4], out[12 + (j + 3) % 4]);
  }
  for (std::size_t i = 0; i < 16; ++i) out[i] += begin[i];
}

/// The bytes of a word in the opposite order.
[[gnu::always_inline]] inline void swap_bytes(Lanes& to, const Lanes& x) {
  to = x << 24 | (x & 0xff00u) << 8 | (x >> 8 & 0xff00u) | x >> 24;
}

}  // namespace sotto::analyzer

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The device computes y = H S3 H S2 H S1 x (H Hadamard, S signs). Its transpose takes a codeword back: S1 H S2 H S3 H
// e_j. The first H e_j is a row of the Hadamard matrix, so only two transforms are left. The input of the first
// consists of signs, so one table look-up for every eight signs replaces three of its stages. Every intermediate vector
// has length at most D^(3/2), which bounds its coordinates: 2^13.5 for D = 512, 2^18 for D = 4096.
#include <array>
#include <bit>
#include <cstring>
#include <type_traits>

#include "sotto/analyzer/aggregate/cross_polytope.hpp"
#include "sotto/analyzer/aggregate/public_bytes.hpp"
#include "sotto/masks.hpp"

namespace sotto::analyzer {

namespace {

constexpr std::size_t k_size_max = std::size_t{1} << 12;
constexpr std::size_t k_sign_bytes_max = 3 * k_size_max / 8;
static_assert(k_sign_bytes_max % k_bytes_at_once == 0);
static_assert(std::endian::native == std::endian::little, "signs are read eight bytes at a time");

/// Eight 16-bit or four 32-bit numbers: 16 bytes, the vector width that every target has.
using Lanes16 = std::int16_t __attribute__((vector_size(16)));
using Lanes32 = std::int32_t __attribute__((vector_size(16)));

/// Eight signs (bit set: -1) after three stages of the transform.
template <class Int>
constexpr auto k_transformed_signs = [] {
  std::array<std::array<Int, 8>, 256> table{};
  for (unsigned signs = 0; signs < 256; ++signs) {
    for (unsigned j = 0; j < 8; ++j) {
      int sum = 0;
      for (unsigned i = 0; i < 8; ++i) {
        const unsigned ij = i & j, odd = (ij ^ (ij >> 1) ^ (ij >> 2) ^ (signs >> i)) & 1u;
        sum += odd != 0 ? -1 : 1;
      }
      table[signs][j] = static_cast<Int>(sum);
    }
  }
  return table;
}();

/// For eight numbers, all ones where bit i is set.
template <class Int>
constexpr auto k_sign_masks = [] {
  std::array<std::array<Int, 8>, 256> table{};
  for (unsigned bits = 0; bits < 256; ++bits) {
    for (unsigned i = 0; i < 8; ++i) table[bits][i] = static_cast<Int>(-static_cast<int>((bits >> i) & 1u));
  }
  return table;
}();

/// Negates number i of the eight at v where bit i is set.
template <class V>
inline void flip(V* v, std::uint8_t bits) noexcept {
  using Int = std::remove_cvref_t<decltype(V{}[0])>;
  constexpr std::size_t k_vectors = 8 * sizeof(Int) / sizeof(V);
  V mask[k_vectors];
  std::memcpy(mask, k_sign_masks<Int>[bits].data(), sizeof mask);
  for (std::size_t i = 0; i < k_vectors; ++i) v[i] = (v[i] ^ mask[i]) - mask[i];
}

inline Lanes16 zip_low(Lanes16 p, Lanes16 q) noexcept {
  return __builtin_shufflevector(p, q, 0, 8, 1, 9, 2, 10, 3, 11);
}
inline Lanes16 zip_high(Lanes16 p, Lanes16 q) noexcept {
  return __builtin_shufflevector(p, q, 4, 12, 5, 13, 6, 14, 7, 15);
}
inline Lanes32 zip_low(Lanes32 p, Lanes32 q) noexcept { return __builtin_shufflevector(p, q, 0, 4, 1, 5); }
inline Lanes32 zip_high(Lanes32 p, Lanes32 q) noexcept { return __builtin_shufflevector(p, q, 2, 6, 3, 7); }

/// The transform stages inside two vectors. A zip pairs lanes whose numbers differ in the top bit and rotates the
/// numbers by one bit; after one more zip than there are stages every lane is back in its place.
template <class V>
inline void transform_inside(V& p, V& q) noexcept {
  constexpr std::size_t k_lanes = sizeof(V) / sizeof(V{}[0]);
  for (std::size_t stage = 1; stage < k_lanes; stage *= 2) {
    const V low = zip_low(p, q), high = zip_high(p, q);
    p = low + high;
    q = low - high;
  }
  const V low = zip_low(p, q), high = zip_high(p, q);
  p = low;
  q = high;
}

/// Stages between whole vectors, from distance `half` on, two at a time: half as many loads and stores.
template <class V>
inline void transform_between(V* v, std::size_t vectors, std::size_t half) noexcept {
  for (; 2 * half < vectors; half *= 4) {
    for (V* group = v; group != v + vectors; group += 4 * half) {
      V *second = group + half, *third = second + half, *fourth = third + half;
      for (std::size_t i = 0; i < half; ++i) {
        const V a = group[i] + second[i], b = group[i] - second[i], c = third[i] + fourth[i], d = third[i] - fourth[i];
        group[i] = a + c;
        second[i] = b + d;
        third[i] = a - c;
        fourth[i] = b - d;
      }
    }
  }
  if (half < vectors) {
    for (std::size_t i = 0; i < half; ++i) {
      const V a = v[i], b = v[i + half];
      v[i] = a + b;
      v[i + half] = a - b;
    }
  }
}

/// Places 64*word .. 64*word+63 of row j of the Hadamard matrix, bit set: -1.
inline std::uint64_t hadamard_row_signs(std::uint32_t j, std::uint32_t word) noexcept {
  constexpr std::uint64_t k_bit_of_place[6] = {0xaaaaaaaaaaaaaaaau, 0xccccccccccccccccu, 0xf0f0f0f0f0f0f0f0u,
                                               0xff00ff00ff00ff00u, 0xffff0000ffff0000u, 0xffffffff00000000u};
  std::uint64_t signs = std::uint64_t{0} - parity(word & (j >> 6));
  for (std::uint32_t bit = 0; bit < 6; ++bit) signs ^= k_bit_of_place[bit] & (std::uint64_t{0} - ((j >> bit) & 1u));
  return signs;
}

template <class V, class Int>
void codeword(const CrossPolytopeSpec& spec, const CoinLabel& label, std::uint32_t report, Int* out) noexcept {
  constexpr std::uint32_t k_lanes = sizeof(V) / sizeof(Int), k_per_byte = 8 / k_lanes;
  const std::uint32_t bytes = (std::uint32_t{1} << spec.log2_size) / 8, vectors = bytes * k_per_byte;
  std::uint8_t signs[k_sign_bytes_max];
  public_bytes(label, CoinPurpose::rotation, 0, (3 * bytes + k_bytes_at_once - 1) / k_bytes_at_once, signs);
  const std::uint8_t *first = signs, *second = signs + bytes, *third = signs + 2 * bytes;

  V v[k_size_max / k_lanes];
  for (std::uint32_t i = 0; i < bytes; i += 8) {
    std::uint64_t flips = 0;
    std::memcpy(&flips, third + i, 8);
    flips ^= hadamard_row_signs(report >> 1, i / 8) ^ (std::uint64_t{0} - (report & 1u));
    for (std::uint32_t k = i; k < i + 8; ++k, flips >>= 8) {
      std::memcpy(v + k * k_per_byte, k_transformed_signs<Int>[flips & 255u].data(), 8 * sizeof(Int));
    }
  }
  // The table look-up has done the three stages inside groups of eight; the stages between groups follow.
  transform_between(v, vectors, k_per_byte);
  constexpr std::uint32_t k_bytes_per_pair = 2 / k_per_byte;
  for (std::uint32_t i = 0; i < bytes; i += k_bytes_per_pair) {
    for (std::uint32_t k = i; k < i + k_bytes_per_pair; ++k) flip(v + k * k_per_byte, second[k]);
    transform_inside(v[i * k_per_byte], v[i * k_per_byte + 1]);
  }
  transform_between(v, vectors, 1);
  for (std::uint32_t i = 0; i < bytes; ++i) flip(v + i * k_per_byte, first[i]);
  std::memcpy(out, v, vectors * sizeof(V));
}

}  // namespace

void cross_polytope_codeword(const CrossPolytopeSpec& spec, const CoinLabel& label, std::uint32_t report,
                             std::int32_t* out) noexcept {
  codeword<Lanes32>(spec, label, report, out);
}

void cross_polytope_codeword(const CrossPolytopeSpec& spec, const CoinLabel& label, std::uint32_t report,
                             std::int16_t* out) noexcept {
  codeword<Lanes16>(spec, label, report, out);
}

}  // namespace sotto::analyzer

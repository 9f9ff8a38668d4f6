// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "point.hpp"

#include "sotto/bytes.hpp"

namespace sotto {

const Point k_generator = {
    {{0x8f25d51a, 0xc9562d60, 0x9525a7b2, 0x692cc760, 0xfdd6dc5c, 0xc0a4e231, 0xcd6e53fe, 0x216936d3}},
    {{0x66666658, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666, 0x66666666}},
    {{1}},
    {{0xa5b7dda3, 0x6dde8ab3, 0x775152f5, 0x20f09f80, 0x64abe37d, 0x66ea4e8e, 0xd78b7665, 0x67875f0f}}};

const std::uint32_t k_order[k_field_words] = {0x5cf5d3ed, 0x5812631a, 0xa2f79cd6, 0x14def9de, 0, 0, 0, 0x10000000};

namespace {

/// 2 d, and a square root of -1.
constexpr FieldElement k_twice_d = {
    {0x26b2f159, 0xebd69b94, 0x8283b156, 0x00e0149a, 0xeef3d130, 0x198e80f2, 0x56dffce7, 0x2406d9dc}};
constexpr FieldElement k_root_of_minus_one = {
    {0x4a0ea0b0, 0xc4ee1b27, 0xad2fe478, 0x2f431806, 0x3dfbd7a7, 0x2b4d0099, 0x4fc1df0b, 0x2b832480}};
constexpr FieldElement k_zero = {}, k_two = {{2}};

/// The words of an encoding; its top bit, the sign of x, is cleared and returned.
std::uint32_t load(const std::uint8_t* encoded, FieldElement& y) noexcept {
  for (int i = 0; i < k_field_words; ++i) y.word[i] = load_u32(encoded + 4 * i);
  const std::uint32_t sign = y.word[7] >> 31;
  y.word[7] &= 0x7fffffffu;
  return sign;
}

bool same_words(const FieldElement& a, const FieldElement& b) noexcept { return equal_bytes(&a, &b, sizeof a); }

}  // namespace

// Hisil, Wong, Carter, Dawson 2008, section 3.1, with a = -1: complete, for d has no square root.
void point_add(Point& to, const Point& other) noexcept {
  FieldElement a, b, c, d;
  field_subtract(a, to.y, to.x);
  field_subtract(b, other.y, other.x);
  field_add(c, to.y, to.x);
  field_add(d, other.y, other.x);
  field_multiply(a, a, b);
  field_multiply(b, c, d);
  field_multiply(to.t, to.t, other.t);
  field_multiply(to.t, to.t, k_twice_d);
  field_multiply(to.z, to.z, other.z);
  field_add(to.z, to.z, to.z);
  field_subtract(c, b, a);
  field_add(d, b, a);
  field_subtract(a, to.z, to.t);
  field_add(b, to.z, to.t);
  field_multiply(to.x, c, a);
  field_multiply(to.y, b, d);
  field_multiply(to.z, a, b);
  field_multiply(to.t, c, d);
}

// x^2 = u/v with u = 2 y^2 - 2, v = 2 d y^2 + 2. RFC 8032, 5.1.3: x = u v^3 (u v^7)^((p-5)/8) is a root of it, or of
// -u/v, or there is none.
bool point_decode_negative(const std::uint8_t* encoded, Point& out) noexcept {
  const std::uint32_t sign = load(encoded, out.y);
  out.x = out.y;
  field_canonical(out.x);
  if (!same_words(out.x, out.y)) return false;
  FieldElement u, v, cube;
  FieldElement& x = out.x;
  field_multiply(v, out.y, out.y);
  field_add(u, v, v);
  field_subtract(u, u, k_two);
  field_multiply(v, v, k_twice_d);
  field_add(v, v, k_two);
  field_multiply(cube, v, v);
  field_multiply(cube, cube, v);
  field_multiply(x, cube, cube);
  field_multiply(x, x, v);
  field_multiply(x, x, u);
  field_power(x, x);
  field_multiply(x, x, cube);
  field_multiply(x, x, u);
  field_multiply(cube, x, x);
  field_multiply(cube, cube, v);  // v x^2
  field_subtract(v, cube, u);
  if (!field_is_zero(v)) {
    field_add(v, cube, u);
    if (!field_is_zero(v)) return false;
    field_multiply(x, x, k_root_of_minus_one);
  }
  field_canonical(x);
  // x = 0 with a sign bit is not a valid encoding either; both points with x = 0 have small order and are refused for
  // that.
  if ((x.word[0] & 1u) == sign) field_subtract(x, k_zero, x);
  out.z = {{1}};
  field_multiply(out.t, x, out.y);
  return true;
}

bool point_encodes_to(const Point& point, const std::uint8_t* encoded) noexcept {
  FieldElement inverse, y, expected;
  const std::uint32_t sign = load(encoded, expected);
  // 1/Z = Z^(p-2), and p - 2 = 8 (2^252 - 3) + 3.
  field_power(inverse, point.z);
  for (int i = 0; i < 3; ++i) field_multiply(inverse, inverse, inverse);
  for (int i = 0; i < 3; ++i) field_multiply(inverse, inverse, point.z);
  field_multiply(y, point.y, inverse);
  field_canonical(y);
  if (!same_words(y, expected)) return false;
  field_multiply(y, point.x, inverse);
  field_canonical(y);
  return (y.word[0] & 1u) == sign;
}

bool point_spent_has_small_order(Point& point) noexcept {
  for (int i = 0; i < 3; ++i) point_add(point, point);
  return field_is_zero(point.x);  // 8 times a point is never (0, -1), whose order is 2
}

}  // namespace sotto

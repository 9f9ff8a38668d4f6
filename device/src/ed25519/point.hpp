// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "field.hpp"

// Points of the curve -x^2 + y^2 = 1 + d x^2 y^2 modulo p in extended coordinates: x = X/Z, y = Y/Z, x*y = T/Z. For
// public points only: nothing here is constant time.
namespace sotto {

struct Point {
  FieldElement x, y, z, t;
};

/// The generator of RFC 8032, and the order of its group as words, the lowest first.
extern const Point k_generator;
extern const std::uint32_t k_order[k_field_words];

inline constexpr Point k_identity = {{{0}}, {{1}}, {{1}}, {{0}}};

/// to += other, which may be the same point. Complete: correct for any two points of the curve.
void point_add(Point& to, const Point& other) noexcept;
/// The negative of the point that 32 bytes encode. False for y >= p and if there is no such point.
[[nodiscard]] bool point_decode_negative(const std::uint8_t* encoded, Point& out) noexcept;
/// Whether the 32 bytes are the canonical encoding of this point, with y < p.
[[nodiscard]] bool point_encodes_to(const Point& point, const std::uint8_t* encoded) noexcept;
/// Whether the order of the point divides 8. Overwrites the point.
[[nodiscard]] bool point_spent_has_small_order(Point& point) noexcept;

}  // namespace sotto

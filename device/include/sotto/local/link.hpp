// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Link functions of generalised linear models: identity, logistic, and any monotone function given as a table.

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/fixed.hpp"
#include "sotto/status.hpp"

namespace sotto {

/// The expected target as a function f of u = <x, theta>.
enum class LinkKind : std::uint8_t {
  identity = 0,  ///< f(u) = u
  logistic = 1,  ///< P(class 1) = 1/(1 + e^-u); a target above 0 is class 1, any other class 0
  table = 2,     ///< a monotone f, in the target's units
};

/// The value and slope of f at a point of a table, Q24, at most 64; f does not decrease.
struct LinkPoint {
  std::int32_t value_q24 = 0;
  std::int32_t slope_q24 = 0;
};

inline constexpr std::size_t k_link_points_max = 65;

/// The points of a table as they lie in a round: value and slope of each, little-endian, at any address.
struct LinkPoints {
  const std::uint8_t* bytes = nullptr;
  std::uint32_t count = 0;

  [[nodiscard]] LinkPoint operator[](std::uint32_t i) const noexcept;
};

/// Points that are in memory already.
[[nodiscard]] inline LinkPoints link_points(const std::span<const LinkPoint>& points) noexcept {
  static_assert(std::endian::native == std::endian::little && sizeof(LinkPoint) == 8);
  return {reinterpret_cast<const std::uint8_t*>(points.data()), static_cast<std::uint32_t>(points.size())};
}

/// f at first, first + 2^log2_step, ... (Q24; log2_step 16..26). Between points f is the cubic with these values and
/// slopes: for a step h the error is at most h^4/384 times the fourth derivative of f, and for the slope h^3/125 times
/// it. Outside the table f continues linearly. Public; the points stay in the caller's memory.
/// sotto/analyzer/math/link_table.hpp makes tables.
struct LinkTable {
  std::int32_t first_q24 = 0;
  std::uint32_t log2_step = 22;
  LinkPoints points;
};

/// A link function; `table` is used by kind `table` only.
struct Link {
  LinkKind kind = LinkKind::identity;
  LinkTable table;
};

/// Checks the parameters of a link.
/// Refuses  bad_channel: an unknown kind, a table with fewer than 2 or more than 65 points, a number outside its range,
///          values that decrease, or that increase by more than 64 times the step.
Status link_check(const Link& link) noexcept;

/// f(u) and f'(u), Q24, saturating at +-128. The link must have passed link_check().
[[nodiscard]] LinkPoint link_at(const Link& link, std::int32_t u_q24) noexcept;

/// 1/(1 + e^-u), Q24. Error at most 2^-15 (65 points of 16 bits).
[[nodiscard]] std::int32_t logistic_q24(std::int32_t u_q24) noexcept;

/// The factor of x in the gradient, Q24, clipped to [-bound, bound], 0 <= bound <= 64: f'(u)(f(u) - y) for the squared
/// error, logistic(u) - class for the logistic loss.
[[nodiscard]] std::int32_t link_residual_q24(const Link& link, std::int32_t u_q24, Q15 target,
                                             std::int32_t bound_q24) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Link functions of a generalized linear model in fixed point: identity, logistic, or a broadcast table with cubic
// interpolation, each with value and slope.
#include "sotto/local/link.hpp"

#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/bytes.hpp"

namespace sotto {

namespace {

constexpr std::int32_t k_one = 1 << 24;
constexpr std::int32_t k_table_max = 64 << 24;
constexpr std::uint32_t k_step_min = 16, k_step_max = 26;

// 1/(1 + e^(k/4)), Q16. Rounding contributes an error of 2^-17, the cubic between points 2^-19.
constexpr std::uint32_t k_logistic_log2_step = 22;
constexpr std::uint32_t k_logistic_cells = 48;  // zeros beyond
constexpr std::uint16_t k_logistic_tail[k_logistic_cells + 1] = {
    32768, 28693, 24743, 21025, 17625, 14595, 11955, 9702, 7812, 6249, 4971, 3938, 3108, 2446, 1921, 1506, 1179,
    922,   720,   562,   439,   342,   267,   208,   162,  126,  98,   77,   60,   47,   36,   28,   22,   17,
    13,    10,    8,     6,     5,     4,     3,     2,    2,    1,    1,    1,    1,    1,    0};

/// floor(t * v / 2^24), t in Q24.
[[nodiscard, gnu::noinline]] std::int64_t part(std::int64_t v, std::uint32_t t) noexcept { return (v * t) >> 24; }

/// Interpolates in a cell of width 2^log2_step between two points, at offset t (Q24, below 1). Overflow, in units of
/// 2^(log2_step - 50): slopes times the width are below 2^32, and so is the rise over the cell, as link_check()
/// requires. Then |c3| < 2^34, |c2| < 2^35, and 3 t c3 and t (2 c2 + 3 t c3) stay below 2^62.
[[nodiscard]] LinkPoint cubic(const LinkPoint* cell, std::uint32_t log2_step, std::uint32_t t) noexcept {
  const std::uint32_t guard = k_step_max - log2_step, unit = 1u << guard;
  const std::int64_t rise = (std::int64_t{cell[1].value_q24} - cell[0].value_q24) * unit;
  const std::int64_t first = std::int64_t{cell[0].slope_q24} * 4, last = std::int64_t{cell[1].slope_q24} * 4;
  const std::int64_t c3 = first + last - 2 * rise, c2 = rise - first - c3;
  const std::int64_t gain = part(first + part(c2 + part(c3, t), t), t);
  const std::int64_t slope = first + part(2 * c2 + part(c3, 3 * t), t);
  return {saturate_int32(cell[0].value_q24 + shift_right_round(gain, guard)), scale_saturate(slope, -2, k_int32_max)};
}

[[nodiscard]] LinkPoint table_at(const LinkTable& table, std::int32_t u_q24) noexcept {
  const std::int64_t position = std::int64_t{u_q24} - table.first_q24;
  const auto width = static_cast<std::int64_t>(multiply_32(table.points.count - 1, 1u << table.log2_step));
  if (position < 0 || position >= width) {
    const LinkPoint end = table.points[position < 0 ? 0 : table.points.count - 1];
    // Below 2^32; times a slope of 2^30: 2^62.
    const std::int64_t beyond = position < 0 ? position : position - width;
    return {saturate_int32(end.value_q24 + ((beyond * end.slope_q24) >> 24)), end.slope_q24};
  }
  static_assert(std::uint64_t{k_link_points_max - 1} << k_step_max == std::uint64_t{1}
                                                                          << 32);  // a position inside has 32 bits
  const auto inside = static_cast<std::uint32_t>(position);
  const std::uint32_t at = inside >> table.log2_step;
  const LinkPoint cell[2] = {table.points[at], table.points[at + 1]};
  return cubic(cell, table.log2_step, inside << (32 - table.log2_step) >> 8);
}

}  // namespace

LinkPoint LinkPoints::operator[](std::uint32_t i) const noexcept {
  const std::uint8_t* const p = bytes + sizeof(LinkPoint) * i;
  return {static_cast<std::int32_t>(load_u32(p)), static_cast<std::int32_t>(load_u32(p + 4))};
}

Status link_check(const Link& link) noexcept {
  if (link.kind != LinkKind::table) {
    return link.kind == LinkKind::identity || link.kind == LinkKind::logistic ? Status::ok : Status::bad_channel;
  }
  const LinkTable& table = link.table;
  if (table.points.count < 2 || table.points.count > k_link_points_max || table.log2_step < k_step_min ||
      table.log2_step > k_step_max) {
    return Status::bad_channel;
  }
  const auto rise_max = static_cast<std::int64_t>(multiply_32(64, 1u << table.log2_step));
  std::int64_t before = table.points[0].value_q24;
  for (std::uint32_t i = 0; i < table.points.count; ++i) {
    const LinkPoint p = table.points[i];
    const std::int64_t rise = p.value_q24 - before;
    if (p.value_q24 < -k_table_max || p.value_q24 > k_table_max || p.slope_q24 < 0 || p.slope_q24 > k_table_max ||
        rise < 0 || rise > rise_max) {
      return Status::bad_channel;
    }
    before = p.value_q24;
  }
  return Status::ok;
}

std::int32_t logistic_q24(std::int32_t u_q24) noexcept {
  const std::uint32_t u = magnitude(u_q24);
  const std::uint32_t at = u >> k_logistic_log2_step;
  std::int32_t tail = 0;
  if (at < k_logistic_cells) {
    LinkPoint cell[2];
    for (std::uint32_t i = 0; i < 2; ++i) {
      const std::int32_t w = k_logistic_tail[at + i];
      cell[i] = {w << 8, -((w * (65536 - w)) >> 8)};  // f' = -f(1 - f): at most 2^30 before the shift
    }
    tail = cubic(cell, k_logistic_log2_step, (u & ((1u << k_logistic_log2_step) - 1)) << 2).value_q24;
  }
  return u_q24 < 0 ? tail : k_one - tail;
}

LinkPoint link_at(const Link& link, std::int32_t u_q24) noexcept {
  if (link.kind == LinkKind::table) return table_at(link.table, u_q24);
  if (link.kind == LinkKind::identity) return {u_q24, k_one};
  const std::int32_t p = logistic_q24(u_q24);
  return {p, static_cast<std::int32_t>((std::int64_t{p} * (k_one - p)) >> 24)};
}

std::int32_t link_residual_q24(const Link& link, std::int32_t u_q24, Q15 target, std::int32_t bound_q24) noexcept {
  const LinkPoint f = link_at(link, u_q24);
  std::int32_t wanted = target * 512;  // Q24
  if (link.kind == LinkKind::logistic) wanted = target > 0 ? k_one : 0;
  std::int64_t off = std::int64_t{f.value_q24} - wanted;  // below 2^31 + 2^24
  if (link.kind == LinkKind::table) off = (std::int64_t{f.slope_q24} * saturate_int32(off)) >> 24;
  return saturate(off, bound_q24);
}

}  // namespace sotto

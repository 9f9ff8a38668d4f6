// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"
#include "sotto/local/gradient.hpp"

// The link of a round, for block and for all gradients (the pairs of a table are (value, slope)), and the gradient that
// a round describes, for direction, value, bin and update.
namespace sotto {

[[nodiscard]] inline std::size_t link_bytes(const Round& round) noexcept {
  return has_table(round) ? round.pair_count * sizeof(LinkPoint) : 0;
}

/// Copies the link's table, because the bytes of a round are not aligned. Without a table there are no points.
[[nodiscard]] inline Link copy_link(const Round& round, Workspace& space) noexcept {
  static_assert(sizeof(LinkPoint) == 2 * sizeof(std::int32_t));
  const std::uint32_t count = has_table(round) ? round.pair_count : 0;
  auto* const points = reinterpret_cast<LinkPoint*>(space.take_data<std::int32_t>(2 * std::size_t{count}));
  for (std::uint32_t i = 0; i < count; ++i) {
    const NumberPair pair = number_pair(round, i);
    points[i] = {pair.first, pair.second};
  }
  return {static_cast<LinkKind>(round.link),
          {static_cast<std::int32_t>(round.parameter[recipe::link_table::first_point]),
           round.parameter[recipe::link_table::log2_step],
           {points, count}}};
}

[[nodiscard]] inline GradientSpec copy_gradient(const Asked& asked, Workspace& space) noexcept {
  return {copy_link(asked.round, space), asked.manifest.nominal_rows,
          static_cast<std::int32_t>(asked.round.parameter[recipe::vector::residual_bound])};
}

/// Checks the link and that there is space for the copy of its table.
[[nodiscard, gnu::noinline]] inline bool link_good(const Asked& asked) noexcept {
  Workspace space = free_space(asked);
  return link_check(copy_link(asked.round, space)) == Status::ok;
}

/// The same. Refuses  bad_field: bound, link, or its table.
[[nodiscard]] inline Status check_gradient(const Asked& asked) noexcept {
  return in_range(asked.round.parameter[recipe::vector::residual_bound], 1, 64u << 24) && link_good(asked)
             ? Status::ok
             : Status::bad_field;
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"
#include "sotto/local/gradient.hpp"

// The link of a round, for block and for all gradients: of a table parameter[2] is the first point (Q24, signed), parameter[3] the
// log2 of its step; pairs are (value, slope). The gradient that a round describes, for direction, value, bin and update:
// parameter[1] is the residual's bound (Q24, 1..64).
namespace sotto {

[[nodiscard]] inline bool has_table(const Round& round) noexcept {
  return round.link == static_cast<std::uint8_t>(LinkKind::table);
}

/// What a link takes of the round, and what a gradient takes.
[[nodiscard]] inline std::uint32_t link_parameters(const Round& round) noexcept {
  return k_takes_link | (has_table(round) ? 0b1100 | k_takes_pairs : 0);
}
[[nodiscard]] inline std::uint32_t gradient_parameters(const Round& round) noexcept {
  return 0b10 | link_parameters(round);
}

[[nodiscard]] inline std::size_t link_bytes(const Round& round) noexcept {
  return has_table(round) ? round.pair_count * sizeof(LinkPoint) : 0;
}

/// A round's bytes have no alignment: the table is copied. Without one there are no points.
[[nodiscard]] inline Link copy_link(const Round& round, Workspace& space) noexcept {
  static_assert(sizeof(LinkPoint) == 2 * sizeof(std::int32_t));
  const std::uint32_t count = has_table(round) ? round.pair_count : 0;
  auto* const points = reinterpret_cast<LinkPoint*>(space.take_data<std::int32_t>(2 * std::size_t{count}));
  for (std::uint32_t i = 0; i < count; ++i) {
    const NumberPair pair = number_pair(round, i);
    points[i] = {pair.first, pair.second};
  }
  return {static_cast<LinkKind>(round.link),
          {static_cast<std::int32_t>(round.parameter[2]), round.parameter[3], {points, count}}};
}

[[nodiscard]] inline GradientSpec copy_gradient(const Asked& asked, Workspace& space) noexcept {
  return {copy_link(asked.round, space), asked.manifest.nominal_rows,
          static_cast<std::int32_t>(asked.round.parameter[1])};
}

/// The link's table is good; there is space for its copy.
[[nodiscard, gnu::noinline]] inline bool link_good(const Asked& asked) noexcept {
  Workspace space = free_space(asked);
  return link_check(copy_link(asked.round, space)) == Status::ok;
}

/// The same. Refuses  bad_field: bound, link, or its table.
[[nodiscard]] inline Status check_gradient(const Asked& asked) noexcept {
  return in_range(asked.round.parameter[1], 1, 64u << 24) && link_good(asked) ? Status::ok : Status::bad_field;
}

}  // namespace sotto

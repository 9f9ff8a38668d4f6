// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "front.hpp"
#include "sotto/local/gradient.hpp"

// The link of a round, for block and for all gradients (the pairs of a table are (value, slope)), and the gradient that
// a round describes, for direction, value, bin and update.
namespace sotto {

/// Its table stays in the round's bytes. Without a table there are no points.
[[nodiscard]] inline Link link_of(const Round& round) noexcept {
  static_assert(sizeof(LinkPoint) == k_pair_bytes);
  return {static_cast<LinkKind>(round.link),
          {static_cast<std::int32_t>(round.parameter[recipe::link_table::first_point]),
           round.parameter[recipe::link_table::log2_step],
           {round.pairs, round.pair_count}}};
}

[[nodiscard]] inline GradientSpec gradient_spec(const Asked& asked) noexcept {
  return {link_of(asked.round), asked.manifest.nominal_rows,
          static_cast<std::int32_t>(asked.round.parameter[recipe::vector::residual_bound])};
}

[[nodiscard, gnu::noinline]] inline bool link_good(const Round& round) noexcept {
  return link_check(link_of(round)) == Status::ok;
}

/// Refuses  bad_field: bound, link, or its table.
[[nodiscard]] inline Status check_gradient(const Round& round) noexcept {
  return in_range(round.parameter[recipe::vector::residual_bound], 1, 64u << 24) && link_good(round)
             ? Status::ok
             : Status::bad_field;
}

}  // namespace sotto

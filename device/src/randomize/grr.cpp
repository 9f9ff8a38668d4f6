// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/grr.hpp"

#include "sotto/masks.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

std::uint32_t grr_report(const TwoLevel& channel, std::uint32_t x, const TwoLevelDraw& draw) noexcept {
  return grr_report_of(channel, category_or_zero(x, channel.outcomes), draw);
}

std::uint32_t grr_report_of(const TwoLevel& channel, std::uint32_t x, const TwoLevelDraw& draw) noexcept {
  const std::uint32_t lie =
      draw.outside + 1 + mask_less(draw.outside, x);  // maps 0 .. c-2 to the categories other than x
  return choose(inside_mask(channel, draw), x, lie);
}

Status grr(const Certified<GrrSpec>& certified, std::uint32_t x, PrivateCoins& coins, std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  const TwoLevel c = channel(certified.spec());
  TwoLevelDraw draw = draw_two_level(coins, c);
  report = grr_report(c, x, draw);
  wipe_object(draw);
  return Status::ok;
}

}  // namespace sotto

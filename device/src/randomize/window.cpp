// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/window.hpp"

#include "sotto/wipe.hpp"

namespace sotto {

WindowDraw draw_window(PrivateCoins& coins, const WindowSpec& spec) noexcept {
  return {coins.word(), draw_two_level(coins, channel(spec))};  // the order of the draws is part of the test vectors
}

std::uint32_t window_report(const WindowSpec& spec, std::int32_t x_q15, const WindowDraw& draw) noexcept {
  const auto offset = static_cast<std::uint32_t>(answer_q15_saturate(x_q15) + k_q15_one);  // 0 .. 65536
  const std::uint32_t position = offset * (spec.outcomes - spec.width);  // Q16 of 0 .. N-1, below 2^23
  const std::uint32_t up = mask_less(draw.round >> 16, position & 0xffffu);
  const std::uint32_t level = (position >> 16) - up;
  const std::uint32_t in = level + draw.channel.inside;
  const std::uint32_t out = draw.channel.outside + (spec.width & ~mask_less(draw.channel.outside, level));
  return choose(inside_mask(channel(spec), draw.channel), in, out);
}

Status window(const Certified<WindowSpec>& certified, std::int32_t x_q15, PrivateCoins& coins,
              std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  WindowDraw draw = draw_window(coins, certified.spec());
  report = window_report(certified.spec(), x_q15, draw);
  wipe_object(draw);
  return Status::ok;
}

}  // namespace sotto

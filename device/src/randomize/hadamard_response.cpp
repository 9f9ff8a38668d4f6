// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/hadamard_response.hpp"

#include "sotto/masks.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

std::uint32_t hadamard_response_report(const HadamardResponseSpec& spec, std::uint32_t x,
                                       const TwoLevelDraw& draw) noexcept {
  const std::uint32_t v = category_or_zero(x, spec.categories) + 1;
  const std::uint32_t inside = inside_mask(channel(spec), draw);
  const std::uint32_t rank = choose(inside, draw.inside, draw.outside);
  // The rank determines every bit of the outcome but the lowest set bit of v; that one is set so that the parity is
  // right.
  const std::uint32_t low = v & (0u - v);
  const std::uint32_t y = ((rank & ~(low - 1)) << 1) | (rank & (low - 1));
  const std::uint32_t wanted = 1u & ~inside;
  return y | (low & (0u - (parity(y & v) ^ wanted)));
}

Status hadamard_response(const Certified<HadamardResponseSpec>& certified, std::uint32_t x, PrivateCoins& coins,
                         std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  const HadamardResponseSpec& spec = certified.spec();
  TwoLevelDraw draw = draw_two_level(coins, channel(spec));
  report = hadamard_response_report(spec, x, draw);
  wipe_object(draw);
  return Status::ok;
}

}  // namespace sotto

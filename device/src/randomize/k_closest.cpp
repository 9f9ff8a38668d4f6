// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/k_closest.hpp"

namespace sotto {

std::uint32_t closest_report(const Keys& keys, const TwoLevel& channel, const TwoLevelDraw& draw) noexcept {
  Largest closest{keys, channel.inside};
  const std::uint32_t inside = inside_mask(channel, draw), is_signed = keys.words != nullptr ? 1 : 0;
  std::uint32_t rank = choose(inside, draw.inside, draw.outside), picked = 0, outcome = 0;
  for (std::uint32_t i = 0; i < keys.count; ++i) {
    const std::uint32_t negative = is_signed != 0 ? mask_negative(keys.words[i]) : 0;
    const std::uint32_t is_closest =
        closest.has(is_signed != 0 ? magnitude_of(keys.words[i], negative) : keys.halves[i]);
    std::uint32_t other_sign = negative;
    do {
      const std::uint32_t other_side = (is_closest & ~other_sign) ^ inside;
      picked |= outcome & ~other_side & mask_less(rank, 1);
      rank -= 1u & ~other_side;  // reaches zero once; it would wrap to zero again only after 2^32 outcomes
      other_sign = ~other_sign;
    } while ((++outcome & is_signed) != 0);
  }
  return picked;
}

}  // namespace sotto

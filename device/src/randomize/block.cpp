// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/block.hpp"

#include "sotto/masks.hpp"
#include "sotto/randomize/unchecked.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

std::uint32_t block_pattern(std::uint32_t width, std::uint32_t rank) noexcept {
  // Finds the number of set bits: passes over all classes and subtracts those that are entirely below the rank.
  std::uint32_t set_bits = 0, count = 1, open = ~0u;  // count = C(width, set_bits) of the chosen class
  std::uint32_t class_size = 1;
  for (std::uint32_t i = 0; i < width; ++i) {
    open &= ~mask_less(rank, class_size);  // once the rank is within its class, nothing changes
    rank -= class_size & open;
    class_size = scale_exact(class_size, width - i, i + 1);
    set_bits += 1u & open;
    count = choose(open, class_size, count);
  }
  // Finds the word in that class, from the top bit: C(n-1, r) of the remaining words have this bit clear.
  std::uint32_t word = 0;
  for (std::uint32_t n = width; n > 0; --n) {
    const std::uint32_t clear = scale_exact(count, n - set_bits, n);
    const std::uint32_t is_set = ~mask_less(rank, clear);
    word |= (std::uint32_t{1} << (n - 1)) & is_set;
    rank -= clear & is_set;
    count = choose(is_set, count - clear, clear);
    set_bits -= 1u & is_set;
  }
  return word;
}

std::uint32_t block_report(const TwoLevel& channel, std::uint32_t width, std::uint32_t x,
                           const TwoLevelDraw& draw) noexcept {
  const std::uint32_t rank = choose(inside_mask(channel, draw), draw.inside, channel.inside + draw.outside);
  return (x & (channel.outcomes - 1)) ^ block_pattern(width, rank);
}

std::uint32_t block_report(const BlockSpec& spec, std::uint32_t x, const TwoLevelDraw& draw) noexcept {
  return block_report(channel(spec), spec.width, x, draw);
}

Status block(const Certified<BlockSpec>& certified, std::uint32_t x, PrivateCoins& coins,
             std::uint32_t& report) noexcept {
  if (!certified.valid()) return Status::uncertified;
  if (const Status s = coins.ready(); s != Status::ok) return s;
  const BlockSpec& spec = certified.spec();
  const TwoLevel c = channel(spec);
  TwoLevelDraw draw = draw_two_level(coins, c);
  report = block_report(c, spec.width, x, draw);
  wipe_object(draw);
  return Status::ok;
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/randomize/k_closest.hpp"

namespace sotto {

namespace {

/// |v|, given whether it is negative.
[[nodiscard]] std::uint32_t size_of(std::int32_t v, std::uint32_t negative) noexcept {
  return (static_cast<std::uint32_t>(v) ^ negative) - negative;
}

/// How many keys are at or above the candidate.
[[nodiscard]] std::uint32_t keys_from(const Keys& keys, std::uint32_t candidate) noexcept {
  std::uint32_t from = keys.count;
  if (const std::int32_t* v = keys.words; v != nullptr) {
    const std::int32_t* const end = v + keys.count;
    do {
      from += mask_less(size_of(*v, mask_negative(*v)), candidate);
    } while (++v != end);
  } else {
    for (std::uint32_t i = 0; i < keys.count; ++i) from += mask_less(keys.halves[i], candidate);
  }
  return from;
}

}  // namespace

Largest::Largest(const Keys& keys, std::uint32_t k) noexcept {
  // The k-th key's bits are fixed from the top, each by one pass that counts the keys at or above the candidate. The last pass
  // counts those above the k-th, fewer than k.
  for (std::uint32_t bit = std::uint32_t{1} << (keys.bits - 1);; bit >>= 1) {
    const std::uint32_t candidate = kth_ + (bit != 0 ? bit : 1), from = keys_from(keys, candidate);
    equal_left_ = k - from;
    if (bit == 0) return;
    kth_ = choose(mask_less(from, k), kth_, candidate);
  }
}

std::uint32_t closest_report(const Keys& keys, const TwoLevel& channel, const TwoLevelDraw& draw) noexcept {
  Largest closest{keys, channel.inside};
  const std::uint32_t inside = inside_mask(channel, draw), is_signed = keys.words != nullptr ? 1 : 0;
  std::uint32_t rank = choose(inside, draw.inside, draw.outside), picked = 0, outcome = 0;
  for (std::uint32_t i = 0; i < keys.count; ++i) {
    const std::uint32_t negative = is_signed != 0 ? mask_negative(keys.words[i]) : 0;
    const std::uint32_t is_closest = closest.has(is_signed != 0 ? size_of(keys.words[i], negative) : keys.halves[i]);
    std::uint32_t other_sign = negative;
    do {
      const std::uint32_t other_side = (is_closest & ~other_sign) ^ inside;
      picked |= outcome & ~other_side & mask_less(rank, 1);
      rank -= 1u & ~other_side;  // passes zero once; the next time it is zero again lies 2^32 outcomes away
      other_sign = ~other_sign;
    } while ((++outcome & is_signed) != 0);
  }
  return picked;
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/spec/block.hpp"

#include "sotto/wide.hpp"

namespace sotto {

std::uint32_t scale_exact(std::uint32_t n, std::uint32_t f, std::uint32_t d) noexcept {
  // With r = 2^32/d + e, 0 <= e < 1: n*f*r/2^32 = n*f/d + n*f*e/2^32, and the last term is below 2^-5 <= 1/d.
  // The divisor is public, so the time of its reciprocal reveals nothing.
  const std::uint32_t product = n * f;
  return d == 1 ? product : static_cast<std::uint32_t>(multiply_32(product, divide_floor_32(~0u, d) + 1) >> 32);
}

std::uint32_t patterns_within(std::uint32_t width, std::uint32_t flips) noexcept {
  std::uint32_t sum = 1, binomial = 1;
  for (std::uint32_t i = 1; i <= flips; ++i) {
    binomial = scale_exact(binomial, width + 1 - i, i);
    sum += binomial;
  }
  return sum;
}

void block_coordinates(const CoinLabel& label, std::uint32_t coordinates,
                       const std::span<std::uint32_t>& out) noexcept {
  PublicCoins coins{label, CoinPurpose::masks};
  const auto width = static_cast<std::uint32_t>(out.size());
  for (std::uint32_t taken = 0; taken < width; ++taken) {
    const std::uint32_t last = coordinates - width + taken;
    std::uint32_t pick = coins.below(last + 1);
    for (std::uint32_t i = 0; i < taken; ++i) {
      if (out[i] == pick) {  // already taken; `last` is not, because it enters the range only now
        pick = last;
        break;
      }
    }
    out[taken] = pick;
  }
}

TwoLevel channel(const BlockSpec& spec) noexcept {
  return {std::uint32_t{1} << spec.width, patterns_within(spec.width, spec.flips), spec.threshold};
}

Status check_parameters(const BlockSpec& spec) noexcept {
  const bool fits = spec.width >= 1 && spec.width <= k_block_width_max && spec.flips < spec.width;
  return fits ? Status::ok : Status::bad_channel;
}

void encode_fields(const BlockSpec& spec, ByteWriter& out) noexcept {
  out.u32(spec.width);
  out.u32(spec.flips);
  out.u32(spec.threshold);
}

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/coins/samplers.hpp"

#include <bit>

#include "sotto/fixed.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {
constexpr std::uint32_t k_series_max = 32;     // the chance of a longer run is 1/32!, below 2^-117
constexpr std::uint32_t k_geometric_max = 64;  // e^-64 is below 2^-92
constexpr std::uint32_t k_inverse_e[] = {0x5e2d58d8, 0xb3bcdf1a, 0xbadec782, 0x9054f90d};  // floor(e^-1 * 2^128)
}  // namespace

std::uint64_t word64(PrivateCoins& coins) noexcept {
  const std::uint64_t low = coins.word();
  return low | std::uint64_t{coins.word()} << 32;
}

std::uint32_t bernoulli64(PrivateCoins& coins, std::uint64_t threshold) noexcept {
  const std::uint64_t w = word64(coins);
  // The borrow of w - threshold, from the sign bits (Hacker's Delight 2-13): no branch on the coin.
  return static_cast<std::uint32_t>(((~w & threshold) | ((~w | threshold) & (w - threshold))) >> 63);
}

bool bernoulli_fraction(PrivateCoins& coins, std::uint64_t a, std::uint64_t n) noexcept {
  if (n >> 32 == 0) return coins.below(static_cast<std::uint32_t>(n)) < a;  // one word, and hardly ever a second
  const auto last = static_cast<std::uint32_t>((n - 1) >> 32), edge = static_cast<std::uint32_t>(a >> 32);
  const std::uint32_t mask = last == 0 ? 0 : ~0u >> std::countl_zero(last);
  for (;;) {
    // A uniform number with as many bits as n-1, drawn again if it is n or more. Its upper word alone decides unless it
    // equals that of n or a.
    const std::uint32_t high = coins.word() & mask;
    if (high > last) continue;
    if (high != last && high != edge) return high < edge;
    const std::uint64_t v = std::uint64_t{high} << 32 | coins.word();
    if (v < n) return v < a;
  }
}

TwoLevelDraw draw_two_level(PrivateCoins& coins, const TwoLevel& channel) noexcept {
  TwoLevelDraw d{};
  d.coin = coins.word();
  d.inside = coins.below(channel.inside);
  d.outside = coins.below(channel.outcomes - channel.inside);
  return d;
}

bool bernoulli_exp_fraction(PrivateCoins& coins, std::uint64_t a, std::uint64_t b) noexcept {
  // The run of successes of a/b, a/2b, a/3b, ... has even length with probability e^(-a/b). One coin is drawn for each.
  std::uint32_t k = 1;
  std::uint64_t parts = b;
  while (k <= k_series_max && bernoulli_fraction(coins, a, parts)) {
    ++k;
    parts += b;
  }
  return (k & 1u) != 0;
}

bool bernoulli_inverse_e(PrivateCoins& coins) noexcept {
  // The first word that differs decides, nearly always the very first.
  for (const std::uint32_t digit : k_inverse_e) {
    const std::uint32_t w = coins.word();
    if (w != digit) return w < digit;
  }
  return false;
}

bool bernoulli_exp(PrivateCoins& coins, std::uint64_t a, std::uint64_t b) noexcept {
  for (; a >= b; a -= b) {
    if (!bernoulli_inverse_e(coins)) return false;
  }
  return bernoulli_exp_fraction(coins, a, b);
}

std::int32_t discrete_laplace(PrivateCoins& coins, std::uint32_t scale) noexcept {
  for (;;) {
    const std::uint32_t start = coins.below(2 * scale);  // the sign, and the low part
    const std::uint32_t low = start >> 1;
    if (!bernoulli_exp_fraction(coins, low, scale)) continue;
    std::uint32_t high = 0;
    while (high < k_geometric_max && bernoulli_inverse_e(coins)) ++high;
    const auto size = static_cast<std::int32_t>(low + scale * high);
    const bool negative = (start & 1u) != 0;
    if (negative && size == 0) continue;  // otherwise zero would have twice its probability
    return negative ? -size : size;
  }
}

std::int32_t discrete_gaussian(PrivateCoins& coins, std::uint32_t variance) noexcept {
  const std::uint32_t scale = root_floor(std::uint64_t{variance}) + 1;  // 64-bit version, which norm_clip() links, too
  // scale <= 5794 and |z| <= 65 scale, so |z| scale < 2^32; the denominator is below 2^52.
  const std::uint64_t denominator = multiply_32(2 * variance, scale * scale);
  for (;;) {
    const std::int32_t z = discrete_laplace(coins, scale);
    const std::uint32_t reach = magnitude(z) * scale;
    const std::uint32_t distance = reach > variance ? reach - variance : variance - reach;
    if (bernoulli_exp(coins, multiply_32(distance, distance), denominator)) return z;
  }
}

}  // namespace sotto

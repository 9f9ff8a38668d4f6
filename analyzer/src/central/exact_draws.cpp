// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/exact_draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/multiprecision/cpp_bin_float.hpp>

#include "exact_compare.hpp"

namespace sotto::analyzer::central {
namespace {

using Precise = boost::multiprecision::cpp_bin_float_100;

/// (word + more / 2^64) / 2^64.
Precise fraction(std::uint64_t word, std::uint64_t more) {
  return ldexp(ldexp(Precise(more), -64) + Precise(word), -64);
}

/// Compares a number known to lie in [low, high] with a probability known up to a relative error.
Side side_of(double low, double high, double probability, double error) {
  if (high <= probability * (1 - error)) return Side::below;
  if (low >= probability * (1 + error)) return Side::above;
  return Side::unclear;
}

// The interval |v| < 13 sigma in blocks of width sigma/64. Block i is proposed with
// weight_i >= k_scale e^(-(i/64)^2/2), the largest density in it, and a point of it is accepted with probability
// density / weight. Nearly always the density at the far end of the block decides.
constexpr std::size_t k_blocks = GridGaussian::k_sigmas_max * 64;
constexpr double k_scale = 3 * 0x1p56;
constexpr unsigned k_quick_bits = 16;
constexpr unsigned k_guide_bits = 10;

struct DrawTable {
  std::array<std::uint64_t, k_blocks> weight{};
  std::array<std::uint64_t, k_blocks> end{};    ///< cumulative weights
  std::array<std::uint32_t, k_blocks> quick{};  ///< in units of 2^-16: below it any point of the block is accepted
  std::array<std::uint16_t, 1u << k_guide_bits> guide{};  ///< first block for a number with these leading bits
};

const DrawTable& draw_table() {
  static const DrawTable made = [] {
    DrawTable t;
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < k_blocks; ++i) {
      const Precise near = Precise(static_cast<double>(i)) / 64, far = Precise(static_cast<double>(i + 1)) / 64;
      t.weight[i] = static_cast<std::uint64_t>(ceil(Precise(k_scale) * exp(-near * near / 2)));
      t.quick[i] = static_cast<std::uint32_t>(
          floor(ldexp(Precise(k_scale) * exp(-far * far / 2) / Precise(t.weight[i]), static_cast<int>(k_quick_bits))));
      t.end[i] = sum += t.weight[i];
    }
    std::size_t block = 0;
    for (std::size_t g = 0; g < t.guide.size(); ++g) {
      while (block + 1 < k_blocks && t.end[block] <= g << (64 - k_guide_bits)) ++block;
      t.guide[g] = static_cast<std::uint16_t>(block);
    }
    return t;
  }();
  return made;
}

}  // namespace

Side quickly_below_exp(std::uint64_t word, std::uint64_t a, std::uint64_t b) {
  const double x = static_cast<double>(a) / static_cast<double>(b);
  const double low = std::ldexp(static_cast<double>(word >> 11), -53);
  return side_of(low, low + 0x1p-53, std::exp(-x), (x + 4) * 0x1p-50);
}

bool precisely_below_exp(std::uint64_t word, std::uint64_t more, std::uint64_t a, std::uint64_t b) {
  return fraction(word, more) < exp(-Precise(a) / Precise(b));
}

Side quickly_accepted(const Acceptance& at, std::uint64_t word) {
  const double x = std::ldexp(static_cast<double>(at.size), -static_cast<int>(at.log2_sigma));  // below 13, exact
  const auto weight = static_cast<double>(draw_table().weight[at.block()]);
  const double lead = static_cast<double>(at.lead) + std::ldexp(static_cast<double>(word >> 11), -53);
  const double low = lead * 0x1p-16 * weight;
  // A few roundings, and that of x^2 / 2 < 85 in the exponent: together below 2^-45.
  constexpr double k_error = 0x1p-42;
  const double high = (low + 0x1p-69 * weight) * (1 + k_error);
  return side_of(low, high, k_scale * std::exp(-x * x / 2), k_error);
}

bool precisely_accepted(const Acceptance& at, std::uint64_t word, std::uint64_t more) {
  const Precise u = ldexp(Precise(at.lead) + fraction(word, more), -static_cast<int>(k_quick_bits));
  const Precise x = ldexp(Precise(at.size), -static_cast<int>(at.log2_sigma));
  return u * Precise(draw_table().weight[at.block()]) < Precise(k_scale) * exp(-x * x / 2);
}

bool bernoulli_exp(Coins& coins, std::uint64_t a, std::uint64_t b) {
  if (a == 0) return true;
  const std::uint64_t word = coins.word();
  const Side side = quickly_below_exp(word, a, b);
  return side == Side::unclear ? precisely_below_exp(word, coins.word(), a, b) : side == Side::below;
}

std::size_t choose_exp(Coins& coins, std::span<const std::int64_t> scores, std::uint64_t unit) {
  // Rejection sampling: a uniform index is accepted with probability e^((score - best)/unit), so the best one always
  // is.
  const std::int64_t best = *std::max_element(scores.begin(), scores.end());
  for (;;) {
    const std::size_t i = coins.below(scores.size());
    if (bernoulli_exp(coins, static_cast<std::uint64_t>(best - scores[i]), unit)) return i;
  }
}

namespace {

bool accept(Coins& coins, const Acceptance& at) {
  const std::uint64_t word = coins.word();
  const Side side = quickly_accepted(at, word);
  return side == Side::unclear ? precisely_accepted(at, word, coins.word()) : side == Side::below;
}

}  // namespace

std::int64_t GridGaussian::draw(Coins& coins) const {
  const DrawTable& t = draw_table();
  const unsigned offset_bits = log2_sigma_ - k_log2_blocks;
  for (;;) {
    const std::uint64_t at = coins.word();
    if (at >= t.end.back()) continue;
    std::size_t block = t.guide[at >> (64 - k_guide_bits)];
    while (t.end[block] <= at) ++block;
    const std::uint64_t bits = coins.word();  // sign, leading bits of the acceptance number, place in the block
    const bool is_negative = (bits >> 63) != 0;
    const auto lead = static_cast<std::uint32_t>((bits >> (63 - k_quick_bits)) & ((1u << k_quick_bits) - 1));
    const std::uint64_t size =
        (static_cast<std::uint64_t>(block) << offset_bits) | (bits & ((std::uint64_t{1} << offset_bits) - 1));
    if (is_negative && size == 0) continue;  // zero must not be drawn twice, once with each sign
    if (lead >= t.quick[block] && !accept(coins, {lead, size, log2_sigma_})) continue;
    return is_negative ? -static_cast<std::int64_t>(size) : static_cast<std::int64_t>(size);
  }
}

double rounding_distance(unsigned log2_sigma) {
  return std::ldexp(1.0 / 24, -2 * static_cast<int>(log2_sigma)) + GridGaussian::k_cut;
}

}  // namespace sotto::analyzer::central

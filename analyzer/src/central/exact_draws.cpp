// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/exact_draws.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <boost/multiprecision/cpp_bin_float.hpp>

namespace sotto::analyzer::central {
namespace {

using Precise = boost::multiprecision::cpp_bin_float_100;

enum class Side { below, above, unclear };

/// Is a number in [low, high] below a probability that is known up to a relative error?
Side side_of(double low, double high, double probability, double error) {
  if (high <= probability * (1 - error)) return Side::below;
  if (low >= probability * (1 + error)) return Side::above;
  return Side::unclear;
}

Precise more_bits(Coins& coins) {
  Precise u = 0;
  for (int i = 0; i < 3; ++i) u = ldexp(u + Precise(coins.word()), -64);
  return u;
}

// The line |v| < 13 sigma in blocks of sigma/64. Block i is proposed with weight_i >= k_scale e^(-(i/64)^2/2), the largest density
// in it, and a point of it accepted with probability density / weight; nearly always the density at its far end decides.
constexpr std::size_t k_blocks = 13 * 64;
constexpr unsigned k_log2_blocks = 6;
constexpr double k_scale = 3 * 0x1p56;
constexpr unsigned k_quick_bits = 16;
constexpr unsigned k_guide_bits = 10;

struct Table {
  std::array<std::uint64_t, k_blocks> weight{};
  std::array<std::uint64_t, k_blocks> end{};    ///< weights summed up
  std::array<std::uint32_t, k_blocks> quick{};  ///< of 2^16: below it a point is accepted wherever it lies in the block
  std::array<std::uint16_t, 1u << k_guide_bits>
      guide{};  ///< first block that a number with these leading bits can be in
};

const Table& table() {
  static const Table made = [] {
    Table t;
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

/// The rest of the acceptance, for a uniform number whose leading k_quick_bits are `lead`.
bool accept_slowly(Coins& coins, std::uint32_t lead, std::uint64_t weight, std::uint64_t size, unsigned log2_sigma) {
  const std::uint64_t word = coins.word();
  const double x =
      std::ldexp(static_cast<double>(size), -static_cast<int>(log2_sigma));  // below 13 and without an error
  const double uniform = (static_cast<double>(lead) + std::ldexp(static_cast<double>(word >> 11), -53)) * 0x1p-16 *
                         static_cast<double>(weight);
  // The double of a 69-bit uniform number and of the density: under 2^-49 (1 + x^2/2) together.
  constexpr double k_error = 0x1p-42;
  const double density = k_scale * std::exp(-x * x / 2);
  switch (side_of(uniform, uniform * (1 + k_error) + 0x1p-8, density, k_error)) {
    case Side::below: return true;
    case Side::above: return false;
    case Side::unclear: break;
  }
  const Precise exact =
      ldexp(Precise(lead) + ldexp(Precise(word) + more_bits(coins), -64), -static_cast<int>(k_quick_bits));
  const Precise y = ldexp(Precise(size), -static_cast<int>(log2_sigma));
  return exact * Precise(weight) < Precise(k_scale) * exp(-y * y / 2);
}

}  // namespace

bool bernoulli_exp(Coins& coins, std::uint64_t a, std::uint64_t b) {
  if (a == 0) return true;
  const double x = static_cast<double>(a) / static_cast<double>(b);
  const std::uint64_t word = coins.word();
  const double low = std::ldexp(static_cast<double>(word >> 11), -53);
  switch (side_of(low, low + 0x1p-53, std::exp(-x), (x + 4) * 0x1p-50)) {
    case Side::below: return true;
    case Side::above: return false;
    case Side::unclear: break;
  }
  return ldexp(Precise(word) + more_bits(coins), -64) < exp(-Precise(a) / Precise(b));
}

std::size_t choose_exp(Coins& coins, std::span<const std::int64_t> scores, std::uint64_t unit) {
  // A uniform index, accepted with probability e^((score - best)/unit): the best one is always accepted.
  const std::int64_t best = *std::max_element(scores.begin(), scores.end());
  for (;;) {
    const std::size_t i = coins.below(scores.size());
    if (bernoulli_exp(coins, static_cast<std::uint64_t>(best - scores[i]), unit)) return i;
  }
}

std::int64_t GridGaussian::draw(Coins& coins) const {
  const Table& t = table();
  const unsigned offset_bits = log2_sigma_ - k_log2_blocks;
  for (;;) {
    const std::uint64_t at = coins.word();
    if (at >= t.end.back()) continue;
    std::size_t block = t.guide[at >> (64 - k_guide_bits)];
    while (t.end[block] <= at) ++block;
    const std::uint64_t bits = coins.word();  // sign, leading bits of the acceptance, place in the block
    const bool is_negative = (bits >> 63) != 0;
    const auto lead = static_cast<std::uint32_t>((bits >> (63 - k_quick_bits)) & ((1u << k_quick_bits) - 1));
    const std::uint64_t size =
        (static_cast<std::uint64_t>(block) << offset_bits) | (bits & ((std::uint64_t{1} << offset_bits) - 1));
    if (is_negative && size == 0) continue;  // zero has one sign only
    if (lead < t.quick[block] || accept_slowly(coins, lead, t.weight[block], size, log2_sigma_)) {
      return is_negative ? -static_cast<std::int64_t>(size) : static_cast<std::int64_t>(size);
    }
  }
}

double rounding_distance(unsigned log2_sigma) {
  return std::ldexp(1.0 / 24, -2 * static_cast<int>(log2_sigma)) + GridGaussian::k_cut;
}

}  // namespace sotto::analyzer::central

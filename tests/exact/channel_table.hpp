// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "exp_interval.hpp"
#include "scripted_coins.hpp"
#include "sotto/two_level.hpp"

namespace sotto::exact {

inline constexpr EpsilonNano k_epsilons[] = {100'000'000,   500'000'000,   1'000'000'000,
                                             2'000'000'000, 4'000'000'000, 8'000'000'000};
inline constexpr std::uint64_t k_coin_range = std::uint64_t{1} << 32;

/// What one private input can answer: the outcome for every rank on either side of the coin, as the compiled code gives it.
/// A preliminary randomization of the input (the rounding of a window) is a mixture of such pairs with integer shares.
struct Sides {
  std::vector<std::uint32_t> inside, outside;
  std::uint64_t share = 1;
};
using Mixture = std::vector<Sides>;

/// One report for scripted words: coin, then the ranks.
using Run = std::function<std::uint32_t(std::uint32_t coin, std::uint32_t inside, std::uint32_t outside)>;

/// Enumerates the draws: four coins around the threshold times all pairs of ranks (for channels with many pairs: all ranks of one
/// side against the first, middle and last of the other). The report must follow the side's own rank only.
inline Sides enumerate(const TwoLevel& c, const Run& run) {
  const std::uint32_t k = c.inside, others = c.outcomes - c.inside, t = c.threshold;
  const bool all_pairs = std::uint64_t{k} * others <= 4096;
  const auto ranks_against = [all_pairs](std::uint32_t n) {
    std::vector<std::uint32_t> r{0, n / 2, n - 1};
    if (all_pairs) {
      r.resize(n);
      for (std::uint32_t i = 0; i < n; ++i) r[i] = i;
    }
    return r;
  };
  Sides s;
  for (std::uint32_t i = 0; i < k; ++i) {
    s.inside.push_back(run(0, i, 0));
    for (const std::uint32_t j : ranks_against(others)) EXPECT_EQ(run(t - 1, i, j), s.inside[i]);
  }
  for (std::uint32_t j = 0; j < others; ++j) {
    s.outside.push_back(run(t, 0, j));
    for (const std::uint32_t i : ranks_against(k)) EXPECT_EQ(run(0xffffffffu, i, j), s.outside[j]);
  }
  return s;
}

/// The channel as exact fractions: rows of integer weights over one denominator, one row per private input.
struct ChannelTable {
  Integer denominator;
  std::vector<std::vector<Integer>> rows;
};

/// An inside rank has probability T/(2^32 k), an outside rank (2^32-T)/(2^32 (M-k)): uniform_below is exactly uniform.
inline ChannelTable table(const TwoLevel& c, const std::vector<Mixture>& inputs, std::uint64_t shares = 1) {
  const Integer k = c.inside, others = c.outcomes - c.inside, t = c.threshold;
  ChannelTable out{Integer{k_coin_range} * k * others * shares, {}};
  for (const Mixture& mixture : inputs) {
    std::vector<Integer> row(c.outcomes);
    for (const Sides& s : mixture) {
      const Integer in = t * others * s.share, outside = (k_coin_range - t) * k * s.share;
      for (const std::uint32_t y : s.inside) row.at(y) += in;
      for (const std::uint32_t y : s.outside) row.at(y) += outside;
    }
    out.rows.push_back(std::move(row));
  }
  return out;
}

/// Largest ratio P(y|x)/P(y|x') over all outputs and pairs of inputs, as a fraction.
struct Ratio {
  Integer top, bottom;
};
inline Ratio largest_ratio(const ChannelTable& t) {
  Ratio best{1, 1};
  for (std::size_t y = 0; y < t.rows.front().size(); ++y) {
    Integer low = t.rows.front()[y], high = low;
    for (const auto& row : t.rows) {
      low = std::min(low, row[y]);
      high = std::max(high, row[y]);
    }
    if (high * best.bottom > best.top * low) best = {high, low};
  }
  return best;
}

inline bool rows_sum_to_one(const ChannelTable& t) {
  return std::all_of(t.rows.begin(), t.rows.end(), [&t](const auto& row) {
    Integer sum = 0;
    for (const Integer& w : row) sum += w;
    return sum == t.denominator;
  });
}

/// epsilon (1 - 10^-6): a channel that delivers more than this wastes less than a millionth of what it charges.
inline EpsilonNano tight_bound(EpsilonNano epsilon) { return epsilon - epsilon / 1'000'000; }

/// The certificate: rows are distributions, the largest ratio is proven at most e^epsilon, and above e^(epsilon (1 - 10^-6)).
inline void expect_certificate(const ChannelTable& t, EpsilonNano epsilon) {
  EXPECT_TRUE(rows_sum_to_one(t));
  const Ratio r = largest_ratio(t);
  EXPECT_TRUE(at_most(r.top, r.bottom, exp_nano(epsilon)));
  EXPECT_TRUE(above(r.top, r.bottom, exp_nano(tight_bound(epsilon))));
}

/// Proven to spend more than epsilon.
inline bool overspends(const ChannelTable& t, EpsilonNano epsilon) {
  const Ratio r = largest_ratio(t);
  return above(r.top, r.bottom, exp_nano(epsilon));
}

}  // namespace sotto::exact

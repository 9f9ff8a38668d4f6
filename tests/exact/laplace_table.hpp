// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "channel_table.hpp"
#include "sotto/randomize/laplace.hpp"

namespace sotto::exact {

using Thresholds = std::vector<std::uint64_t>;

inline Thresholds digit_thresholds(const LaplaceSpec& spec) {
  Thresholds t;
  for (std::uint32_t j = 0; j < spec.bits; ++j) t.push_back(laplace_digit_threshold(laplace_step_q40(spec), j));
  return t;
}

/// The law of g1 - g2 on the circle of 2^n steps, n digits with these thresholds, over the denominator 2^(128 n). Digit j adds
/// +2^j, -2^j or nothing.
inline std::vector<Integer> circle_law(const Thresholds& thresholds) {
  const std::size_t size = std::size_t{1} << thresholds.size();
  std::vector<Integer> law(size);
  law[0] = 1;
  const Integer range = Integer{1} << 64;
  for (std::size_t j = 0; j < thresholds.size(); ++j) {
    const Integer set = thresholds[j], clear = range - set;
    const Integer one_way = set * clear, stay = set * set + clear * clear;
    const std::size_t step = std::size_t{1} << j;
    std::vector<Integer> next(size);
    for (std::size_t z = 0; z < size; ++z) {
      next[z] = law[z] * stay + (law[(z - step) & (size - 1)] + law[(z + step) & (size - 1)]) * one_way;
    }
    law = std::move(next);
  }
  return law;
}

inline ChannelTable laplace_table(const LaplaceSpec& spec, const Thresholds& thresholds) {
  const std::vector<Integer> law = circle_law(thresholds);
  ChannelTable t{Integer{1} << (128 * spec.bits), {}};
  for (std::int32_t x = -static_cast<std::int32_t>(spec.radius); x <= static_cast<std::int32_t>(spec.radius); ++x) {
    std::vector<Integer> row(law.size());
    for (std::uint32_t z = 0; z < law.size(); ++z) row[laplace_report(spec, x, z)] = law[z];
    t.rows.push_back(std::move(row));
  }
  return t;
}

}  // namespace sotto::exact

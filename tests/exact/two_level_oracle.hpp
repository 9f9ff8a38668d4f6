// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "exp_interval.hpp"
#include "sotto/two_level.hpp"

namespace sotto::exact {

/// The larger over the smaller of a channel's two probabilities, as a fraction; T > 0.
struct Odds {
  Integer high, low;
};
inline Odds odds(const TwoLevel& c) {
  const Integer in = Integer{c.threshold} * (c.outcomes - c.inside);
  const Integer out = Integer{c.inside} * ((Integer{1} << 32) - c.threshold);
  return {std::max(in, out), std::min(in, out)};
}

inline bool proven_within(const TwoLevel& c, const ExpInterval& e) {
  const Odds o = odds(c);
  return at_most(o.high, o.low, e);
}
inline bool proven_beyond(const TwoLevel& c, const ExpInterval& e) {
  const Odds o = odds(c);
  return above(o.high, o.low, e);
}

/// Random channels, most of them within a few steps of their limit, where a wrong check would show.
class ChannelSweep {
 public:
  explicit ChannelSweep(std::uint64_t seed) : random_(seed) {}

  struct Point {
    TwoLevel channel;
    EpsilonNano epsilon;
  };
  Point next() {
    const EpsilonNano epsilon = 1 + log_uniform(k_epsilon_max - 1);
    const auto outcomes = static_cast<std::uint32_t>(2 + log_uniform(k_outcomes_max - 2));
    const auto inside =
        static_cast<std::uint32_t>(1 + (random_() % 2 == 0 ? log_uniform(outcomes - 2) : random_() % (outcomes - 1)));
    std::uint32_t limit = 0;
    const bool has_limit = two_level_threshold(outcomes, inside, epsilon, limit) == Status::ok;
    if (!has_limit || random_() % 4 == 0) limit = static_cast<std::uint32_t>(random_());
    const std::uint32_t threshold =
        limit + static_cast<std::uint32_t>(random_() % 9) - 4;  // wraps: any 32 bits will do
    return {{outcomes, inside, std::max(threshold, 1u)}, epsilon};
  }

  /// One point, judged twice: what the device accepts is proven within epsilon, what it refuses is proven to be beyond
  /// epsilon - 10^-9. Returns whether it was accepted.
  bool expect_agreement() {
    const auto [c, epsilon] = next();
    const bool accepted = two_level_check(c, epsilon) == Status::ok;
    const bool agrees = accepted ? proven_within(c, exp_nano(epsilon)) : proven_beyond(c, exp_nano(epsilon - 1));
    EXPECT_TRUE(agrees) << "M " << c.outcomes << " k " << c.inside << " T " << c.threshold << " epsilon " << epsilon
                        << (accepted ? " accepted" : " refused");
    return accepted;
  }

 private:
  /// 0 .. top, every size of number about equally often.
  std::uint64_t log_uniform(std::uint64_t top) {
    const std::uint64_t mask = ~std::uint64_t{0} >> (random_() % 64);
    return (random_() & mask) % (top + 1);
  }
  std::mt19937_64 random_;
};

}  // namespace sotto::exact

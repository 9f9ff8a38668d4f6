// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/two_level.hpp"

#include "sotto/exp_bound.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {

bool shape_is_valid(const TwoLevel& c) noexcept {
  // 1 <= k < M <= 2^31; subtracting 1 makes 0 the largest number.
  return c.inside - 1 < c.outcomes - 1 && c.outcomes - 1 < k_outcomes_max;
}

/// Inside weight T(M-k) and outside weight k(2^32-T): one inside outcome against one outside outcome. T > 0, both below
/// 2^64.
std::uint64_t inside_weight(const TwoLevel& c) noexcept { return multiply_32(c.threshold, c.outcomes - c.inside); }
std::uint64_t outside_weight(const TwoLevel& c) noexcept { return multiply_32(c.inside, 0 - c.threshold); }

/// Whether a <= b * e^epsilon, given an upper bound of e^-epsilon in Q64. May reject equality, never accepts more.
bool within(std::uint64_t a, std::uint64_t b, std::uint64_t exp_neg_q64) noexcept {
  return multiply_high_ceil(a, exp_neg_q64) <= b;
}

bool ratio_within(const TwoLevel& c, std::uint64_t exp_neg_q64) noexcept {
  if (c.threshold == 0) return false;
  const std::uint64_t in = inside_weight(c), out = outside_weight(c);
  return within(in, out, exp_neg_q64) && within(out, in, exp_neg_q64);
}

[[gnu::always_inline]] inline std::uint64_t exp_neg_of(EpsilonNano epsilon) noexcept {
  return exp_neg_upper_q64(exponent_q40(epsilon));
}

}  // namespace

// Both are out of line to save flash.
[[gnu::noinline]] Status check_epsilon(EpsilonNano epsilon, EpsilonNano cap) noexcept {
  if (epsilon - 1 >= k_epsilon_max) return Status::bad_epsilon;  // also refuses 0, which wraps to the largest number
  return epsilon > cap ? Status::over_cap : Status::ok;
}

[[gnu::noinline]] Status two_level_spend(const TwoLevel& channel, EpsilonNano epsilon) noexcept {
  if (!shape_is_valid(channel)) return Status::bad_channel;
  return ratio_within(channel, exp_neg_of(epsilon)) ? Status::ok : Status::overspent;
}

Status two_level_check(const TwoLevel& channel, EpsilonNano epsilon) noexcept {
  if (!shape_is_valid(channel)) return Status::bad_channel;
  const Status s = check_epsilon(epsilon, k_epsilon_max);
  return s == Status::ok ? two_level_spend(channel, epsilon) : s;
}

Status two_level_threshold(std::uint32_t outcomes, std::uint32_t inside, EpsilonNano epsilon,
                           std::uint32_t& threshold) noexcept {
  TwoLevel c{outcomes, inside, 0};
  if (!shape_is_valid(c)) return Status::bad_channel;
  if (const Status s = check_epsilon(epsilon, k_epsilon_max); s != Status::ok) return s;
  const std::uint64_t exp_neg = exp_neg_of(epsilon);
  // The inside weight over the outside weight is monotone in T: its bits are determined from the top.
  for (std::uint32_t bit = std::uint32_t{1} << 31; bit != 0; bit >>= 1) {
    const std::uint32_t kept = c.threshold;
    c.threshold |= bit;
    if (!within(inside_weight(c), outside_weight(c), exp_neg)) c.threshold = kept;
  }
  if (!ratio_within(c, exp_neg)) return Status::bad_epsilon;
  threshold = c.threshold;
  return Status::ok;
}

EpsilonNano two_level_delivered(const TwoLevel& channel) noexcept {
  if (!shape_is_valid(channel)) return k_epsilon_max + 1;
  EpsilonNano low = 0, high = k_epsilon_max + 1;  // refused at low, accepted at high (or beyond the range)
  while (high - low > 1) {
    const EpsilonNano middle = low + (high - low) / 2;
    (ratio_within(channel, exp_neg_of(middle)) ? high : low) = middle;
  }
  return high;
}

}  // namespace sotto

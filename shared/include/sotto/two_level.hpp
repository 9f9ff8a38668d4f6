// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>

#include "sotto/status.hpp"
#include "sotto/units.hpp"

namespace sotto {

/// A channel with two probabilities: of M outcomes, the k that lie inside (which k depends on the private answer) share the
/// probability T/2^32 equally, the others share the rest. Every finite randomizer of this library is one.
struct TwoLevel {
  std::uint32_t outcomes;   ///< M
  std::uint32_t inside;     ///< k
  std::uint32_t threshold;  ///< T
};

inline constexpr std::uint32_t k_outcomes_max = std::uint32_t{1} << 31;

/// Refuses  bad_epsilon: zero, or above 12 nats. over_cap: above what the device allows.
[[nodiscard]] Status check_epsilon(EpsilonNano epsilon, EpsilonNano cap) noexcept;

/// Is the ratio of the two probabilities within [e^-epsilon, e^epsilon]? Decided in integers, rounding against the channel.
/// The threshold is never judged alone: one that delivers 1 nat at (2, 1) delivers 5.14 at (64, 1).
/// Refuses  bad_channel: not 1 <= k < M <= 2^31. overspent: T = 0, or a ratio beyond e^epsilon.
[[nodiscard]] Status two_level_check(const TwoLevel& channel, EpsilonNano epsilon) noexcept;

/// The same for an epsilon that check_epsilon() has accepted.
[[nodiscard]] Status two_level_spend(const TwoLevel& channel, EpsilonNano epsilon) noexcept;

/// The largest threshold that spends at most epsilon at (M, k).
/// Refuses  bad_channel; bad_epsilon: zero, above 12 nats, or so small that no 32-bit threshold serves.
[[nodiscard]] Status two_level_threshold(std::uint32_t outcomes, std::uint32_t inside, EpsilonNano epsilon,
                                         std::uint32_t& threshold) noexcept;

/// The epsilon that a channel really delivers, rounded up to a nano-nat; k_epsilon_max + 1 when it is more than 12 nats.
[[nodiscard]] EpsilonNano two_level_delivered(const TwoLevel& channel) noexcept;

}  // namespace sotto

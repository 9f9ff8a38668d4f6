// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Two-level channels: the form that all finite randomizers of the library share, the check that one delivers at most
/// epsilon, and the search for its best threshold. All in integers.

#include <cstdint>

#include "sotto/status.hpp"
#include "sotto/units.hpp"

namespace sotto {

/// A channel with two probabilities. Of M outcomes, k are inside; which ones depends on the private answer. The inside
/// outcomes share the probability T/2^32 equally, the outside ones share the rest. Every finite randomizer of this
/// library is such a channel, except laplace.
struct TwoLevel {
  std::uint32_t outcomes;   ///< M
  std::uint32_t inside;     ///< k, the number of inside outcomes
  std::uint32_t threshold;  ///< T, the inside probability times 2^32
};

inline constexpr std::uint32_t k_outcomes_max = std::uint32_t{1} << 31;

/// Refuses  bad_epsilon: zero, or above 12 nats. over_cap: above what the device allows.
[[nodiscard]] Status check_epsilon(EpsilonNano epsilon, EpsilonNano cap) noexcept;

/// Checks that the ratio of the two probabilities is within [e^-epsilon, e^epsilon]. Decided in integers, with rounding
/// against the channel. A threshold alone says nothing: one that delivers 1 nat at (M, k) = (2, 1) delivers 5.14 at
/// (64, 1).
/// Refuses  bad_channel: not 1 <= k < M <= 2^31. overspent: T = 0, or a ratio beyond e^epsilon.
[[nodiscard]] Status two_level_check(const TwoLevel& channel, EpsilonNano epsilon) noexcept;

/// The same for an epsilon that check_epsilon() has accepted.
[[nodiscard]] Status two_level_spend(const TwoLevel& channel, EpsilonNano epsilon) noexcept;

/// The largest threshold that spends at most epsilon at (M, k).
/// Refuses  bad_channel; bad_epsilon: zero, above 12 nats, or so small that no 32-bit threshold serves.
[[nodiscard]] Status two_level_threshold(std::uint32_t outcomes, std::uint32_t inside, EpsilonNano epsilon,
                                         std::uint32_t& threshold) noexcept;

/// The epsilon that a channel really delivers, rounded up to a nano-nat; k_epsilon_max + 1 when it is more than 12
/// nats.
[[nodiscard]] EpsilonNano two_level_delivered(const TwoLevel& channel) noexcept;

}  // namespace sotto

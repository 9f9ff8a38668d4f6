// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Samplers on which the randomizers are built: the draws of two-level channels, and exact Bernoulli, discrete Laplace
/// and discrete Gaussian sampling. Callers have checked coins.ready().

#include <cstdint>

#include "sotto/coins/private_coins.hpp"
#include "sotto/masks.hpp"
#include "sotto/two_level.hpp"

namespace sotto {

/// The next 64 random bits, low word first.
[[nodiscard]] std::uint64_t word64(PrivateCoins& coins) noexcept;

/// 1 with probability threshold / 2^64, else 0. Constant time.
[[nodiscard]] std::uint32_t bernoulli64(PrivateCoins& coins, std::uint64_t threshold) noexcept;

/// All randomness of one report over a two-level channel. It is drawn before the answer is read, so the number of words
/// drawn cannot depend on the answer.
struct TwoLevelDraw {
  std::uint32_t coin;     ///< below the threshold: the outcome is an inside one
  std::uint32_t inside;   ///< rank among the k inside outcomes
  std::uint32_t outside;  ///< rank among the M-k others
};
[[nodiscard]] TwoLevelDraw draw_two_level(PrivateCoins& coins, const TwoLevel& channel) noexcept;

/// All ones if the report is an inside outcome.
[[nodiscard]] inline std::uint32_t inside_mask(const TwoLevel& channel, const TwoLevelDraw& draw) noexcept {
  return mask_less(draw.coin, channel.threshold);
}

// The samplers below are exact but not constant time: their duration depends on the noise that they return.

/// True with probability a/n, 0 <= a <= n, 1 <= n. Draws one word if n fits in 32 bits; otherwise nearly always one for
/// each attempt, with less than one rejection on average.
[[nodiscard]] bool bernoulli_fraction(PrivateCoins& coins, std::uint64_t a, std::uint64_t n) noexcept;
/// True with probability e^(-a/b), 0 <= a <= b, 1 <= b < 2^58 (Canonne, Kamath, Steinke 2020; with their two coins
/// drawn as one).
[[nodiscard]] bool bernoulli_exp_fraction(PrivateCoins& coins, std::uint64_t a, std::uint64_t b) noexcept;
/// True with probability e^-1, less an error below 2^-128; rarely draws more than one word.
[[nodiscard]] bool bernoulli_inverse_e(PrivateCoins& coins) noexcept;
/// True with probability e^(-a/b), any a.
[[nodiscard]] bool bernoulli_exp(PrivateCoins& coins, std::uint64_t a, std::uint64_t b) noexcept;
/// Discrete Laplace: P(z) proportional to e^(-|z|/scale), 1 <= scale < 2^16. |z| < 65 * scale; the truncated
/// probability is below 2^-90.
[[nodiscard]] std::int32_t discrete_laplace(PrivateCoins& coins, std::uint32_t scale) noexcept;
/// Discrete Gaussian: P(z) proportional to e^(-z^2/(2 variance)), 1 <= variance <= 2^25.
[[nodiscard]] std::int32_t discrete_gaussian(PrivateCoins& coins, std::uint32_t variance) noexcept;

}  // namespace sotto

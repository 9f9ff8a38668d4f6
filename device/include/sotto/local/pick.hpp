// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>

#include "sotto/coins/private_coins.hpp"
#include "sotto/status.hpp"

namespace sotto {

/// Which of the selected variables a device votes for. Measured best: the strongest.
enum class Pick : std::uint8_t {
  strongest = 0,  ///< the largest |coefficient|; of equals the first
  uniform = 1,    ///< any with a coefficient other than zero, with equal odds
  weighted = 2,   ///< with odds in proportion to |coefficient|
};

/// The feature to vote for: column[i] for one i with beta_q24[i] != 0, or `none` (the vote for nothing, x = d) when there is no
/// such i. column and beta_q24 have the same length; of two lengths the shorter counts.
/// Cost     the random picks draw two words whatever the coefficients are, the strongest none. Their odds are off by less than
///          2^-24 of themselves: this chooses an answer, it protects nothing; the vote's randomizer does.
/// Refuses  entropy_not_ready: a random pick with coins for which no report was begun.
[[nodiscard]] Status pick(Pick how, const std::span<const std::uint16_t>& column,
                          const std::span<const std::int32_t>& beta_q24, std::uint32_t none, PrivateCoins& coins,
                          std::uint32_t& feature) noexcept;

/// The same with the 64 random bits given.
[[nodiscard]] std::uint32_t pick_by(Pick how, const std::span<const std::uint16_t>& column,
                                    const std::span<const std::int32_t>& beta_q24, std::uint32_t none,
                                    std::uint64_t draw) noexcept;

}  // namespace sotto

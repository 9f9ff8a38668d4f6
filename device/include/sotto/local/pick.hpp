// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chooses the one selected feature for which a device votes.

#include <cstdint>
#include <span>

#include "sotto/coins/private_coins.hpp"
#include "sotto/status.hpp"

namespace sotto {

/// Which of the selected features a device votes for. In measurements `strongest` was best.
enum class Pick : std::uint8_t {
  strongest = 0,  ///< the largest |coefficient|; of equals the first
  uniform = 1,    ///< any with a nonzero coefficient, with equal probability
  weighted = 2,   ///< with probability proportional to |coefficient|
};

/// The feature to vote for: column[i] for one i with beta_q24[i] != 0, or `none` (the vote for no feature, x = d) if
/// there is none. If column and beta_q24 differ in length, the shorter one counts.
/// Cost     the random picks draw two words whatever the coefficients are, `strongest` draws none. Their probabilities
///          have a relative error below 2^-24. This does not affect privacy, which the vote's randomizer provides: the
///          pick only chooses the answer.
/// Refuses  entropy_not_ready: a random pick with coins for which no report was begun.
[[nodiscard]] Status pick(Pick how, const std::span<const std::uint16_t>& column,
                          const std::span<const std::int32_t>& beta_q24, std::uint32_t none, PrivateCoins& coins,
                          std::uint32_t& feature) noexcept;

/// The same with 64 random bits given.
[[nodiscard]] std::uint32_t pick_by(Pick how, const std::span<const std::uint16_t>& column,
                                    const std::span<const std::int32_t>& beta_q24, std::uint32_t none,
                                    std::uint64_t draw) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The vote randomizer: reports one of d features, or none. d is the spec's number of features.

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/vote.hpp"

namespace sotto {

/// Votes for one of d features, or for none (x = d), through the spec's oracle: grr or walsh_hash.
/// Privacy  pure epsilon. Proof: device/proofs/grr.md, device/proofs/walsh_hash.md
/// Refuses  an uncertified spec, coins that are not ready. x > d is answered as none.
Status vote(const Certified<VoteSpec>& certified, const CoinLabel& label, std::uint32_t x, PrivateCoins& coins,
            std::uint32_t& report) noexcept;

/// vote() without its checks: for a certified spec, its channel, and coins that are ready.
[[nodiscard]] std::uint32_t vote_report(const VoteSpec& spec, const TwoLevel& channel, const CoinLabel& label,
                                        std::uint32_t x, PrivateCoins& coins) noexcept;

}  // namespace sotto

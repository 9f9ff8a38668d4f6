// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Local hashing: reports one of many categories through a public random hash. c is the spec's number of categories, b
/// its bits and T its threshold.

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/walsh_hash.hpp"

namespace sotto {

/// Reports b parities of a category with public masks, through randomized response over 2^b.
/// Privacy  pure epsilon, whatever the masks are; e^epsilon = T(2^b-1)/(2^32-T). Proof: device/proofs/walsh_hash.md
/// Refuses  an uncertified spec, coins that are not ready. x >= c is answered as category 0.
Status walsh_hash(const Certified<WalshHashSpec>& certified, const CoinLabel& label, std::uint32_t x,
                  PrivateCoins& coins, std::uint32_t& report) noexcept;

/// The hash: bit i is the parity of x AND mask i, the masks from public coins.
[[nodiscard]] std::uint32_t walsh_hash_of(const WalshHashSpec& spec, const CoinLabel& label, std::uint32_t x) noexcept;

/// The same for an x that is known to be below c.
[[nodiscard]] std::uint32_t walsh_parities(std::uint32_t bits, const CoinLabel& label, std::uint32_t x) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The block randomizer: reports k signs at once. k is the spec's width, t its flips and T its threshold.

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/spec/block.hpp"

namespace sotto {

/// Reports k signs at once: with probability T/2^32 a word within t flips of the true one, else one further away.
/// Privacy  pure epsilon; e^epsilon = T(2^k-A)/(A(2^32-T)), A words within t flips. Proof: device/proofs/block.md
/// Refuses  an uncertified spec, coins that are not ready. Bits of x beyond k are cleared.
Status block(const Certified<BlockSpec>& certified, std::uint32_t x, PrivateCoins& coins,
             std::uint32_t& report) noexcept;

/// The report as a function of the answer and the drawn words: draws nothing, constant time.
[[nodiscard]] std::uint32_t block_report(const BlockSpec& spec, std::uint32_t x, const TwoLevelDraw& draw) noexcept;

/// Number `rank` of all words of `width` bits, sorted by number of set bits, then by value. Constant time in rank.
[[nodiscard]] std::uint32_t block_pattern(std::uint32_t width, std::uint32_t rank) noexcept;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Hadamard response: reports one of many categories without public coins. c is the spec's number of categories and T
/// its threshold.

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/spec/hadamard_response.hpp"

namespace sotto {

/// Reports with probability T/2^32 an outcome y with parity(y AND (x+1)) = 0, else one with parity 1; uniform among the
/// outcomes of that parity.
/// Privacy  pure epsilon; e^epsilon = T/(2^32-T). Proof: device/proofs/hadamard_response.md
/// Refuses  an uncertified spec, coins that are not ready. x >= c is answered as category 0.
Status hadamard_response(const Certified<HadamardResponseSpec>& certified, std::uint32_t x, PrivateCoins& coins,
                         std::uint32_t& report) noexcept;

/// The report as a function of the answer and the drawn words: draws nothing, constant time.
[[nodiscard]] std::uint32_t hadamard_response_report(const HadamardResponseSpec& spec, std::uint32_t x,
                                                     const TwoLevelDraw& draw) noexcept;

}  // namespace sotto

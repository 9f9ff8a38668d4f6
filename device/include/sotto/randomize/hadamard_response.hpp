// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/spec/hadamard_response.hpp"

namespace sotto {

/// Reports an outcome y with parity(y AND (x+1)) = 0 with probability T/2^32, else one with parity 1, uniformly on either side.
/// Privacy  pure epsilon; e^epsilon = T/(2^32-T). Proof: device/proofs/hadamard_response.md
/// Refuses  an uncertified spec, coins without a begun report. x >= c is answered as category 0.
Status hadamard_response(const Certified<HadamardResponseSpec>& certified, std::uint32_t x, PrivateCoins& coins,
                         std::uint32_t& report) noexcept;

[[nodiscard]] std::uint32_t hadamard_response_report(const HadamardResponseSpec& spec, std::uint32_t x,
                                                     const TwoLevelDraw& draw) noexcept;

}  // namespace sotto

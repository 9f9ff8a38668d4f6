// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Generalised randomized response: reports one of c categories. c is the spec's number of categories and T its
/// threshold.

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/spec/grr.hpp"

namespace sotto {

/// Reports one of c categories: the true one with probability T/2^32, else another, uniformly.
/// Privacy  pure epsilon; e^epsilon = T(c-1)/(2^32-T), exact in integers. Proof: device/proofs/grr.md
/// Refuses  an uncertified spec, coins that are not ready. x >= c is answered as category 0.
Status grr(const Certified<GrrSpec>& certified, std::uint32_t x, PrivateCoins& coins, std::uint32_t& report) noexcept;

/// The report as a function of the answer and the drawn words: draws nothing, refuses nothing, constant time.
[[nodiscard]] std::uint32_t grr_report(const TwoLevel& channel, std::uint32_t x, const TwoLevelDraw& draw) noexcept;
/// The same for an x that is known to be below c.
[[nodiscard]] std::uint32_t grr_report_of(const TwoLevel& channel, std::uint32_t x, const TwoLevelDraw& draw) noexcept;

}  // namespace sotto

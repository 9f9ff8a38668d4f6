// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The window randomizer: reports a scalar in [-1, 1], unbiased. K is the spec's number of outcomes, w its width and T
/// its threshold.

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/fixed.hpp"
#include "sotto/spec/window.hpp"

namespace sotto {

/// Reports a scalar in [-1, 1] as one of K outcomes: it is rounded at random to a level; with probability T/2^32 the
/// report is an outcome of that level's window.
/// Privacy  pure epsilon; e^epsilon = T(K-w)/(w(2^32-T)). Proof: device/proofs/window.md
/// Refuses  an uncertified spec, coins that are not ready. x is clipped to [-32768, 32768] (Q15).
Status window(const Certified<WindowSpec>& certified, std::int32_t x_q15, PrivateCoins& coins,
              std::uint32_t& report) noexcept;

/// All randomness of one report, drawn before the answer is read.
struct WindowDraw {
  std::uint32_t round;  ///< its upper 16 bits decide the rounding
  TwoLevelDraw channel;
};
[[nodiscard]] WindowDraw draw_window(PrivateCoins& coins, const WindowSpec& spec) noexcept;
/// The report as a function of the answer and the drawn words: draws nothing, constant time.
[[nodiscard]] std::uint32_t window_report(const WindowSpec& spec, std::int32_t x_q15, const WindowDraw& draw) noexcept;

}  // namespace sotto

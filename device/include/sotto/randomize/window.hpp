// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/fixed.hpp"
#include "sotto/spec/window.hpp"

namespace sotto {

/// Reports a scalar in [-1, 1] as one of K outcomes: rounded at random to a level, then an outcome of its window with T/2^32.
/// Privacy  pure epsilon; e^epsilon = T(K-w)/(w(2^32-T)). Proof: device/proofs/window.md
/// Refuses  an uncertified spec, coins without a begun report. x is clipped to [-32768, 32768] (Q15).
Status window(const Certified<WindowSpec>& certified, std::int32_t x_q15, PrivateCoins& coins,
              std::uint32_t& report) noexcept;

struct WindowDraw {
  std::uint32_t round;  ///< its upper 16 bits decide the rounding
  TwoLevelDraw channel;
};
[[nodiscard]] WindowDraw draw_window(PrivateCoins& coins, const WindowSpec& spec) noexcept;
[[nodiscard]] std::uint32_t window_report(const WindowSpec& spec, std::int32_t x_q15, const WindowDraw& draw) noexcept;

}  // namespace sotto

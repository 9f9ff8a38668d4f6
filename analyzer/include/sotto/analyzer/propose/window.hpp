// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// Chooses the parameters of a window channel for one bounded number.

#include "sotto/analyzer/result.hpp"
#include "sotto/spec/window.hpp"

namespace sotto::analyzer {

struct WindowProposal {
  WindowSpec spec;
  double worst_variance = 0;  ///< of one report, over all answers in [-1, 1], rounding included
};

/// The window channel (K, w), K <= outcomes_max, with the least worst-case variance at epsilon; the smallest K on a
/// tie.
/// Estimate  exact: every pair is tried with the threshold that a device would accept.
/// Refuses   spec.bad_epsilon; spec.bad_channel: outcomes_max outside 2 .. 128.
Result<WindowProposal> propose_window(EpsilonNano epsilon, std::uint32_t outcomes_max = k_window_outcomes_max);

}  // namespace sotto::analyzer

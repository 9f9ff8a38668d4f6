// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Chooses the parameters of the window randomizer (one number in [-1, 1]) for a given epsilon.

#include "sotto/analyzer/result.hpp"
#include "sotto/spec/window.hpp"

namespace sotto::analyzer {

/// The proposed spec and its variance.
struct WindowProposal {
  WindowSpec spec;
  double worst_variance = 0;  ///< largest variance of one report over answers in [-1, 1], with rounding
};

/// The window channel with K outcomes and windows of w, K <= outcomes_max, that has the least worst-case variance at
/// epsilon; the smallest K on a tie.
/// Estimate  exact: every pair is tried with the integer threshold that a device would accept.
/// Refuses   spec.bad_epsilon; spec.bad_channel: outcomes_max outside 2 .. 128.
Result<WindowProposal> propose_window(EpsilonNano epsilon, std::uint32_t outcomes_max = k_window_outcomes_max);

}  // namespace sotto::analyzer

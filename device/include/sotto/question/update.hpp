// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `update`: how a broadcast model changes by some gradient steps on the rows of one device.

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe steps: K hard-thresholded gradient steps over all d features, starting at the model; the difference to the
/// model is clipped to a ball (sotto/local/update.hpp). The link and its table are those of `gradient` in
/// sotto/question/direction.hpp.
/// Parameters recipe::steps: radius R (Q24, 1..2^31-1); residual_bound (Q24, at most 64); step_size (Q24, at most 64);
/// counts: step_counts() of K, 1..64, and of the features that each step keeps, 1..d.
/// Without rows the model itself is thresholded.
///
/// Randomizer: as `direction`, the spec's dimension d + 1; payload: one number. k_update_noisy also takes gaussian with
/// dimension d: the ball of radius R is mapped to the spec's radius in grid steps (sotto/local/grid_ball.hpp); payload:
/// 3 bytes for each number, signed.
extern const Question k_update;
extern const Question k_update_noisy;

}  // namespace sotto

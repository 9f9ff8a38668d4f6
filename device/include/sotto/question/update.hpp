// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe steps: from the model, K hard-thresholded gradient steps over all d features, and the difference to the model clipped to
/// a ball (sotto/local/update.hpp). The link and its table are those of `gradient` in sotto/question/direction.hpp.
/// Parameters recipe::steps: radius R (Q24, 1..2^31-1); residual_bound (Q24, at most 64); step_size (Q24, at most 64); counts:
/// step_counts() of K steps, 1..64, and of the features that each keeps, 1..d.
/// No rows: the model, its smaller values dropped if it has more than are kept.
///
/// Randomizer: as `direction`, the spec's dimension d + 1. k_update_noisy also takes gaussian with dimension d: the ball of radius
/// R is laid on the spec's radius in grid steps (sotto/local/grid_ball.hpp). Payload: one number; or 3 bytes a number, signed.
extern const Question k_update;
extern const Question k_update_noisy;

}  // namespace sotto

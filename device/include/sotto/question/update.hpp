// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe steps: from the model, K hard-thresholded gradient steps over all d features, and the difference to the model clipped to
/// a ball (sotto/local/update.hpp). The link and its table are those of `gradient` in sotto/question/direction.hpp.
///   [0] radius R (Q24, 1..2^31-1)   [1] bound of the residual (Q24, at most 64)   [2], [3] of a table
///   [4] step size (Q24, at most 64) [5] steps K, 1..64, in the lower 16 bits, features kept, 1..d, in the upper
/// No rows: the model, its smaller values dropped if it has more than are kept.
///
/// Randomizer: as `direction`, the spec's dimension d + 1. k_update_noisy also takes gaussian with dimension d: the ball of radius
/// R is laid on the spec's radius in grid steps (sotto/local/grid_ball.hpp). Payload: one number; or 3 bytes a number, signed.
extern const Question k_update;
extern const Question k_update_noisy;

}  // namespace sotto

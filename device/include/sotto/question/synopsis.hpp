// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe copies: the features of one record that public coins choose below the nominal rows, c times with fresh noise, so that
/// products of different copies are unbiased; and its target once.
///   [0] radius of the features (Q24, 1..2^31-1), laid on [1] = R1 grid steps, 1..512 (sotto/local/grid_ball.hpp)
///   [2] R2, grid steps of the target, 0..512, onto which [3], its bound (Q15, 1..32768), is laid
///   [4] copies c, at least 1        [5] scope: 0 the model's features (its values do not count), 1 all
/// c R1^2 + R2^2 <= G^2, G the spec's radius. A record that the device does not hold is zeros. No link, no pairs.
///
/// Randomizer: gaussian with dimension c k + 1 for k features: copy after copy, the target last. Payload: 3 bytes a number, signed.
extern const Question k_synopsis;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe copies: the features of one record that public coins choose below the nominal rows, c times with fresh noise, so that
/// products of different copies are unbiased; and its target once.
/// Parameters recipe::record: radius of the features (Q24, 1..2^31-1), laid on feature_steps R1, 1..512 (sotto/local/grid_ball.hpp);
/// target_bound (Q15, 1..32768), laid on target_steps R2, 0..512. Parameters recipe::copies: count c, at least 1; scope: 0 the model's
/// features (its values do not count), 1 all.
/// c R1^2 + R2^2 <= G^2, G the spec's radius. A record that the device does not hold is zeros. No link, no pairs.
///
/// Randomizer: gaussian with dimension c k + 1 for k features: copy after copy, the target last. Payload: 3 bytes a number, signed.
extern const Question k_synopsis;

}  // namespace sotto

// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `synopsis`: several independently noisy copies of the features of one record, and its target.

#include "sotto/session/question.hpp"

namespace sotto {

/// Recipe copies: the features of one record that public coins choose below the nominal rows, c times with independent
/// noise, so that products of different copies are unbiased; and its target once.
/// Parameters recipe::record: the features are clipped to `radius` (Q24, 1..2^31-1), which is mapped to feature_steps
/// R1 grid steps, 1..512 (sotto/local/grid_ball.hpp); the target is clipped to target_bound (Q15, 1..32768), which is
/// mapped to target_steps R2, 0..512. Parameters recipe::copies: count c, at least 1; scope: the model's features (0;
/// its values are ignored) or all (1). c R1^2 + R2^2 <= G^2, G the spec's radius.
/// A record that the device does not hold counts as zeros. The round has no link or pairs.
///
/// Randomizer: gaussian with dimension c k + 1 for k features: copy after copy, the target last. Payload: 3 bytes for
/// each number, signed.
extern const Question k_synopsis;

}  // namespace sotto

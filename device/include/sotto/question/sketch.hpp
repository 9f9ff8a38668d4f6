// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The question `sketch`: a random projection or random Fourier features of one record, and its target, with additive
/// noise.

#include "sotto/session/question.hpp"

namespace sotto {

/// One record that public coins choose below the nominal rows is mapped to p numbers, by a public random map that is
/// the same for all devices; its target follows. p is a multiple of 8, at most 256. Recipes:
///   hadamard     hadamard_project() (sotto/local/hadamard_projection.hpp) with the parameter block, 32..4096, at least p
///   fourier      fourier_features() with the parameter inverse_bandwidth 1/h (Q16, 2^10..2^22)
/// Parameters recipe::record: the p numbers are clipped to `radius` (Q24, 1..2^31-1), which is mapped to feature_steps
/// R1 grid steps, 1..512 (sotto/local/grid_ball.hpp); the target is clipped to target_bound (Q15, 1..32768), which is
/// mapped to target_steps R2, 0..512. Parameters recipe::sketch: block, inverse_bandwidth. R1^2 + R2^2 <= G^2, G the
/// spec's radius.
/// A record that the device does not hold counts as zeros. The round has no model, link or pairs.
///
/// Randomizer: gaussian with dimension p + 1, the target last. Payload: 3 bytes for each number, signed.
extern const Question k_sketch;

}  // namespace sotto

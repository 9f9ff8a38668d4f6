// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// One record that public coins choose below the nominal rows, as p numbers that all devices make with the same coins, and its
/// target, with additive noise. p is a multiple of 8, at most 256.
///   projection   sign_project()
///   hadamard     hadamard_project(): block, 32..4096, at least p
///   fourier      fourier_features(): inverse_bandwidth 1/h (Q16, 2^10..2^22)
/// Parameters recipe::record: radius of the p numbers (Q24, 1..2^31-1), laid on feature_steps R1, 1..512 (sotto/local/grid_ball.hpp);
/// target_bound (Q15, 1..32768), laid on target_steps R2, 0..512. Parameters recipe::sketch: block, inverse_bandwidth.
/// R1^2 + R2^2 <= G^2, G the spec's radius. A record that the device does not hold is zeros. The round has no model, link and pairs.
///
/// Randomizer: gaussian with dimension p + 1, the target last. Payload: 3 bytes a number, signed.
extern const Question k_sketch;

}  // namespace sotto

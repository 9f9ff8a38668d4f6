// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/session/question.hpp"

namespace sotto {

/// One record that public coins choose below the nominal rows, as p numbers that all devices make with the same coins, and its
/// target, with additive noise. p is a multiple of 8, at most 256.
///   projection   sign_project(): [4] = 0        hadamard   hadamard_project(): [4] is the block, 32..4096, at least p
///   fourier      fourier_features(): [4] is 1/h (Q16, 2^10..2^22)
///   [0] radius of the p numbers (Q24, 1..2^31-1), laid on [1] = R1 grid steps, 1..512 (sotto/local/grid_ball.hpp)
///   [2] R2, grid steps of the target, 0..512, onto which [3], its bound (Q15, 1..32768), is laid
/// R1^2 + R2^2 <= G^2, G the spec's radius. A record that the device does not hold is zeros. The round has no model, link and pairs.
///
/// Randomizer: gaussian with dimension p + 1, the target last. Payload: 3 bytes a number, signed.
extern const Question k_sketch;

}  // namespace sotto
